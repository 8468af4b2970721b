"""From a red gate to a green one, as people do it: the deciding trial, its failing step, a case, a run that passes."""

import re

import pytest
from playwright.sync_api import expect

from packs.access import Role
from packs.models import Case
from packs.publish import publish
from runs.jobs.gating.checks import judge, keep
from runs.jobs.tasks import execute_gate
from runs.models import Agent, GateCheck, GateRequest, GateSchedule, Run
from tests.browser.axe import troubles
from tests.people import client_of, make_member
from tests.runs.gated import answering, gated_run, publish_suites
from tests.runs.working import work_off

pytestmark = pytest.mark.browser
MERGE = "ci_merge_gate"
LOST = {"tool_name": "lookup", "arguments": {"city": "Lisbon"}, "error": "no such city"}


@pytest.fixture
def curator(transactional_db, team):
    return make_member(team, Role.CURATOR)


@pytest.fixture
def as_curator(curator):
    return client_of(curator)


@pytest.fixture
def suites(team, curator):
    return publish_suites(team, curator)


@pytest.fixture
def regressed(suites, curator):
    """A run in which a golden task fails that passed before, at a tool call that went wrong."""
    keep(judge(gated_run(curator, suites), MERGE))
    events = [
        {
            "type": "tool.call.completed",
            "payload": {"tool_name": "think", "arguments": {}, "result": {"content": "ok"}},
        },
        {"type": "tool.call.failed", "payload": LOST},
    ]
    return gated_run(curator, suites, capital_1={"output": "I do not know.", "events": events})


def is_too_wide(page):
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def test_a_golden_regression_is_followed_to_its_step_kept_as_a_case_and_mended(
    open_as, as_curator, curator, team, suites, regressed, live_server, errors
):
    page = open_as(as_curator, f"/runs/{regressed.pk}/")
    page.get_by_role("link", name="Gates", exact=True).click()
    page.get_by_role("button", name="Check the gate").click()
    page.wait_for_url(re.compile(r"/gates/checks/\d+/$"))
    expect(page.locator(".head").get_by_text("Failed")).to_be_visible()
    broken = page.locator("#condition-golden_regression")
    expect(broken).to_contain_text("capital_1")
    assert troubles(page) == {}

    broken.get_by_role("link").first.click()
    page.wait_for_url(re.compile(r"/replays/\d+/\?step=\d+"))
    expect(page.locator("#step-title")).to_contain_text("lookup")
    page.locator("#step").get_by_role("link", name="Make a case of this").click()
    expect(page.get_by_label("Input set")).to_contain_text("failure_replays")
    page.get_by_label("Expected").fill("Lisbon is named.")
    page.get_by_label("Request").fill("Which city is the capital of Portugal?")
    page.get_by_label("Request").blur()
    page.get_by_role("button", name="Save into the draft").click()
    page.wait_for_url(re.compile(r"/edit/cases/\d+/"))
    case = Case.objects.filter(pack=suites.pack, input_set__key="failure_replays").exclude(key="incident_1").get()
    assert case.document["x-provenance"]["run"] == regressed.pk

    suites.pack.refresh_from_db()
    publish(suites.pack, curator, number=2)
    Agent.objects.all().delete()
    answering(suites, "mended")
    page.goto(f"{live_server.url}/gates/default/capitals/merge/")
    page.get_by_label("Agent").select_option(label="mended")
    page.get_by_role("button", name="Start the run").click()
    page.wait_for_url(re.compile(r"/runs/\d+/$"))
    run = work_off(Run.objects.latest("pk"))
    execute_gate(GateRequest.objects.get(run=run).pk)
    page.get_by_role("link", name="Gates", exact=True).click()
    page.get_by_role("link", name=re.compile("Merge gate")).click()
    expect(page.locator(".head").get_by_text("Passed")).to_be_visible()
    check = GateCheck.objects.get(run=run)
    assert (check.verdict, check.exit_code, run.version.number) == ("pass", 0, 2)
    assert errors == []


def test_pages_of_gates_keep_nobody_out(open_as, as_curator, suites, regressed, live_server, errors):
    check = keep(judge(regressed, MERGE))
    page = open_as(as_curator, "/gates/default/capitals/")
    paths = [
        *("/gates/default/capitals/", "/gates/default/capitals/merge/", f"/gates/checks/{check.pk}/"),
        *(f"/gates/checks/{check.pk}/preview/", "/gates/default/capitals/nightly/schedule/"),
    ]
    for path in paths:
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(f"{live_server.url}{path}")
        found = troubles(page)
        page.set_viewport_size({"width": 390, "height": 800})
        assert (path, found, is_too_wide(page)) == (path, {}, False)
    assert errors == []


def test_a_policy_is_tried_and_tasks_are_filtered_in_place(open_as, as_curator, regressed, errors):
    check = keep(judge(regressed, MERGE))
    page = open_as(as_curator, f"/gates/checks/{check.pk}/")
    page.get_by_label("Search tasks").fill("attack")
    expect(page.locator("#gate-members tbody tr")).to_have_count(1)
    page.get_by_role("link", name="Try another policy").click()
    page.get_by_role("checkbox", name="No guarded task fails").uncheck()
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#tried")).to_contain_text("Passed")
    assert GateCheck.objects.filter(run=regressed).count() == 1
    assert errors == []


def test_a_nightly_run_is_put_on_a_schedule_in_the_browser(open_as, as_curator, suites, errors):
    answering(suites, "agent")
    page = open_as(as_curator, "/gates/default/capitals/nightly/")
    page.get_by_role("link", name="New schedule").click()
    page.get_by_role("checkbox", name="Sunday").uncheck()
    page.get_by_label("Time zone").select_option("Europe/Berlin")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(re.compile(r"/nightly/$"))
    shown = page.locator("aside").get_by_role("link").filter(has_text="02:00 (Europe/Berlin)")
    expect(shown).to_contain_text("next")
    assert GateSchedule.objects.get().weekdays == "123456"
    assert errors == []
