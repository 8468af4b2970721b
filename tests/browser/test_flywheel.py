"""From a failed trial to a case that keeps it from coming back, as people do it; and traces that come in."""

import re

import pytest
from playwright.sync_api import expect

from packs.access import Role
from packs.models import Case
from packs.publish import publish
from runs.launch.launching import Options, launch
from runs.models import Agent, Run, Trial
from tests.browser.axe import troubles
from tests.people import client_of, make_member
from tests.runs.failing import failing_run, publish_suite, task
from tests.runs.results.test_importing import lines, record
from tests.runs.working import work_off

pytestmark = pytest.mark.browser


@pytest.fixture
def author(transactional_db, team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def as_curator(author):
    return client_of(author)


@pytest.fixture
def version(team, author):
    return publish_suite(team, author, task("parcel_1", trials={"k": 1}))


def is_too_wide(page):
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def test_a_failing_step_becomes_a_replay_that_a_mended_agent_passes(open_as, as_curator, author, team, version, errors):
    failed = Trial.objects.get(run=failing_run(team, author, version))
    page = open_as(as_curator, f"/runs/trials/{failed.pk}/")
    page.get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replays/**")
    expect(page.locator("#step-title")).to_be_visible()
    page.keyboard.press("]")
    expect(page.locator("#step-title")).to_contain_text("Tool call: lookup")
    page.locator("#step").get_by_role("link", name="Make a case of this").click()
    expect(page.get_by_label("Input set")).to_contain_text("failure_replays")
    page.get_by_label("Expected").fill("Leeds is named.")
    page.get_by_label("Request").fill("Where is parcel P-1 now?")
    page.get_by_label("Request").blur()
    expect(page.locator("aside")).to_contain_text("Where is parcel P-1 now?")
    assert troubles(page) == {}
    page.get_by_role("button", name="Save into the draft").click()
    page.wait_for_url(re.compile(r"/edit/cases/\d+/"))
    expect(page.get_by_role("link", name=f"Trial {failed.pk}")).to_be_visible()
    expect(page.locator("#editor")).not_to_contain_text("x-provenance")
    case = Case.objects.get(input_set__key="failure_replays")
    assert case.document["x-provenance"]["step"] == 4
    assert (case.document["inputs"]["user_message"], case.error_count) == ("Where is parcel P-1 now?", 0)
    assert [text for text in errors if "422" not in text] == []

    case.pack.refresh_from_db()
    again = publish(case.pack, author, number=2)
    mended = Agent.objects.create(team=team, name="mended", kind="scripted", config={"default": "It is in Leeds."})
    run = work_off(launch(author, again, [mended], Options(input_set="failure_replays", trials=1)))
    assert run.counts == {"passed": 1}


def test_a_case_that_is_there_already_is_saved_only_on_purpose(open_as, as_curator, author, team, version):
    failed = Trial.objects.get(run=failing_run(team, author, version))
    page = open_as(as_curator, f"/runs/trials/{failed.pk}/case/")
    page.get_by_role("button", name="Save into the draft").click()
    page.wait_for_url(re.compile(r"/edit/cases/\d+/"))
    page = open_as(as_curator, f"/runs/trials/{failed.pk}/case/")
    page.get_by_role("button", name="Save into the draft").click()
    expect(page.get_by_role("alert")).to_be_focused()
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.get_by_role("checkbox", name="Save another one all the same").check()
    expect(page.get_by_role("checkbox", name="Save another one all the same")).to_be_checked()
    page.get_by_role("button", name="Save into the draft").click()
    page.wait_for_url(re.compile(r"/edit/cases/\d+/"))
    assert Case.objects.filter(input_set__key="failure_replays").count() == 2


def test_traces_are_looked_at_imported_and_measured(open_as, as_curator, version, tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_bytes(lines(record(), record(index=2, run_id="elsewhere-2")))
    page = open_as(as_curator, f"/runs/import/?version={version.pk}")
    page.set_input_files("input[name=file]", path)
    page.get_by_role("button", name="Preview the import").click()
    expect(page.get_by_role("heading", name="2 trials can be imported")).to_be_visible()
    assert troubles(page) == {}
    page.get_by_role("button", name="Import and grade").click()
    page.wait_for_url(re.compile(r"/runs/\d+/$"))
    work_off(Run.objects.get())
    page.get_by_role("link", name="Metrics").click()
    expect(page.get_by_role("link", name="tool_error_rate")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 800})
    assert (troubles(page), is_too_wide(page)) == ({}, False)
