"""The pages of running as people use them: launch, live run, trial, stored document, replay, agents."""

import json
import re

import pytest
from playwright.sync_api import expect

from runs.launch.launching import Options, launch
from runs.models import Agent, Run, TrialStatus
from tests.browser.axe import troubles
from tests.browser.keys import press_in_sequence
from tests.corpora import ROOT
from tests.people import client_of
from tests.runs.conftest import agents  # noqa: F401
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.browser
JUDGED = ROOT / "tests" / "fixtures" / "challenge_pack" / "bases" / "native.yaml"


@pytest.fixture
def as_curator(transactional_db, administrator):
    return client_of(administrator)


@pytest.fixture
def version(transactional_db, team, administrator):
    """A version with two input sets."""
    return publish_text(team, administrator, pack_text({"small": 1, "large": 2}))


def called(number):
    """An event of a tool call; the third one failed."""
    result = {"content": f"found {number}", **({"is_error": True} if number == 3 else {})}
    return {"type": "tool.call.completed", "payload": {"tool_name": f"tool{number}", "result": result}}


@pytest.fixture
def told(team, administrator, version):
    """A trial of an agent that called five tools."""
    config = {"default": {"output": "hub", "events": [called(number) for number in range(1, 6)]}}
    agent = Agent.objects.create(team=team, name="caller", kind="scripted", config=config)
    return work_off(launch(administrator, version, [agent], Options(input_set="small"))).trials.get()


@pytest.fixture
def judged(team, administrator, agents):
    """A trial whose judge cannot be asked."""
    version = publish_text(team, administrator, JUDGED.read_text(), slug="ferry-desk")
    return work_off(launch(administrator, version, [agents["reference"]])).trials.get()


@pytest.fixture
def broken(administrator, agents, version):
    """A trial whose agent this machine does not know how to drive."""
    run = launch(administrator, version, [agents["echo"]], Options(input_set="small"))
    run.agents.update(kind="gone")
    return work_off(run).trials.get()


def test_a_refused_launch_keeps_what_was_chosen_and_says_what_is_missing(open_as, as_curator, agents, version, errors):
    page = open_as(as_curator, f"/runs/new/?version={version.pk}")
    expect(page.get_by_role("checkbox", name="reference")).to_be_checked()
    page.get_by_role("radio", name="large").check()
    page.get_by_role("checkbox", name="reference").uncheck()
    page.get_by_label("Trials for each case").fill("3")
    page.get_by_role("button", name="Start run").click()
    expect(page.get_by_role("alert")).to_contain_text("invalid_agent_deployment_ids")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_role("radio", name="large")).to_be_checked()
    expect(page.get_by_label("Trials for each case")).to_have_value("3")
    page.get_by_role("checkbox", name="echo").check()
    expect(page.locator("#forecast")).to_contain_text("6 trials")
    page.keyboard.press("Control+Enter")
    page.wait_for_url(re.compile(r"/runs/\d+/$"))
    run = Run.objects.get()
    assert (run.input_set.key, run.trial_count) == ("large", 6)
    assert [text for text in errors if "422" not in text] == []


def test_an_input_set_has_to_be_chosen_where_there_are_several(open_as, as_curator, agents, version):
    page = open_as(as_curator, f"/runs/new/?version={version.pk}")
    page.get_by_role("button", name="Start run").click()
    expect(page.get_by_role("radio", name="small")).to_be_focused()
    assert not Run.objects.exists()


def test_the_page_of_a_run_follows_it_to_its_end(open_as, as_curator, administrator, agents, version, errors):
    run = launch(administrator, version, [agents["reference"], agents["empty"]], Options(input_set="large"))
    page = open_as(as_curator, f"/runs/{run.pk}/")
    expect(page.locator("#run-summary")).to_contain_text("0 of 4")
    expect(page.locator("#no-worker")).to_be_visible()
    work_off(run)
    expect(page.locator("#run-summary")).to_contain_text("4 of 4")
    expect(page.locator("#run-grid td .heat", has_text="Passed")).to_have_count(2)
    expect(page.locator("#run-grid td .heat", has_text="Failed")).to_have_count(2)
    expect(page.locator("#run-poll")).to_have_count(0)
    assert errors == []


def test_a_trial_tells_its_scorecard_its_grades_and_its_judges(open_as, as_curator, judged, errors):
    page = open_as(as_curator, f"/runs/trials/{judged.pk}/")
    card = page.locator("section[aria-labelledby=card-title]")
    expect(card.get_by_role("row", name="correctness")).to_be_visible()
    expect(card.get_by_role("row", name="manners").locator(".chip")).to_have_text("Unavailable")
    passed = page.locator(".grade", has_text="names_port")
    expect(passed).not_to_have_attribute("open", "")
    passed.locator("summary").first.click()
    expect(passed.get_by_text("Hull").first).to_be_visible()
    page.keyboard.press("s")
    page.wait_for_url("**/stored/")
    page.get_by_text("As JSON").click()
    assert json.loads(page.locator("#stored").inner_text()) == judged.case.stored
    assert errors == []


def test_a_broken_trial_blames_the_machine_and_not_the_agent(open_as, as_curator, broken):
    page = open_as(as_curator, f"/runs/{broken.run_id}/")
    expect(page.locator("#run-summary .chip--red")).to_have_count(0)
    page.locator("body").press("f")
    page.wait_for_url(f"**/trials/{broken.pk}/")
    assert (broken.status, broken.fault) == (TrialStatus.ERROR, "machine")
    expect(page.locator("#result .notice").first).to_contain_text(broken.error)
    expect(page.get_by_role("heading", level=1).locator("xpath=..").locator(".chip")).to_have_text("Error: machine")


def test_the_keys_of_the_replay_move_through_its_steps(open_as, as_curator, told, errors):
    page = open_as(as_curator, f"/replays/{told.pk}/?types=tool")
    title, number = page.locator("#step-title"), page.locator("#step-number")
    expect(title).to_contain_text("tool1")
    page.keyboard.press("j")
    expect(title).to_contain_text("tool2")
    page.keyboard.press("k")
    expect(title).to_contain_text("tool1")
    page.keyboard.press("]")
    expect(title).to_contain_text("tool3")
    assert "step=" in page.url
    last = int(number.get_attribute("max"))
    page.keyboard.press("Control+g")
    expect(number).to_be_focused()
    page.keyboard.type(str(last))
    page.keyboard.press("Enter")
    expect(title).to_contain_text(f"{last}.")
    expect(page.locator("#replay-list")).to_be_focused()
    press_in_sequence(page, "g", "g", until=title.filter(has_text="tool1"))
    page.reload()
    expect(title).to_contain_text("tool1")
    assert errors == []


def test_the_search_of_the_replay_goes_from_hit_to_hit(open_as, as_curator, told):
    page = open_as(as_curator, f"/replays/{told.pk}/?types=tool")
    page.keyboard.press("/")
    page.keyboard.type("found")
    page.keyboard.press("Enter")
    expect(page.locator(".steprow--hit")).to_have_count(5)
    expect(page.locator("#step-title")).to_contain_text("tool1")
    expect(page.locator("#replay-list [aria-current]")).to_be_focused()
    page.keyboard.press("h")
    expect(page.locator("#step-title")).to_contain_text("tool2")


def test_the_list_of_agents_leads_to_each_of_them(open_as, as_curator, agents):
    page = open_as(as_curator, "/agents/")
    expect(page.locator("tbody [data-row]")).to_have_count(len(agents))
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/agents/*/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("echo")


def addresses(version, trials):
    """Every page of running, with runs that are finished, judged and broken."""
    yield from ("/runs/", "/runs/new/", f"/runs/new/?version={version.pk}", "/agents/", "/agents/new/scripted/")
    for trial in trials:
        yield from (f"/runs/{trial.run_id}/", f"/runs/{trial.run_id}/configuration/")
        yield from (f"/runs/trials/{trial.pk}/", f"/runs/trials/{trial.pk}/stored/", f"/replays/{trial.pk}/?types=all")


def test_every_page_is_accessible_in_both_themes_and_fits_on_a_phone(
    open_as, as_curator, live_server, version, judged, broken
):
    page = open_as(as_curator, "/runs/")
    for path in addresses(version, [judged, broken]):
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(live_server.url + path)
        assert troubles(page) == {}, path
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
