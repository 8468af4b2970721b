"""The page of a trial answers in one screen; the conversation, the replay and the stored document are a key away."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from runs.launch.launching import launch
from runs.models import Agent
from tests.browser.axe import troubles
from tests.openai_server import calls
from tests.runs.conftest import local_endpoints  # noqa: F401
from tests.runs.connections import make_connection
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("local_endpoints")]
# A picture of one pixel.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
LONG = "The parcel left the hub. " * 400


@pytest.fixture
def trial(team, author, model_server):
    """A trial of an agent that read its workspace twice, the second time in vain, and gave a long answer."""
    looked = [calls(list_files='{"path": "."}'), calls(read_file='{"path": "none.txt"}')]
    model_server.script([*looked, LONG])
    make_connection(team, model_server, model_list=[{"name": "small"}])
    config = {"connection": "models", "model": "small"}
    agent = Agent.objects.create(team=team, name="desk", kind="chat", config=config)
    tools = "  tool_policy: {allowed_tool_kinds: [file]}\n"
    version = publish_text(team, author, pack_text({"default": 1}, mode="native", version=tools, answer="hub"))
    return work_off(launch(author, version, [agent])).trials.get()


def test_a_trial_is_asked_answered_expected_and_explained_in_one_screen(open_as, as_author, trial, errors):
    page = open_as(as_author, f"/runs/trials/{trial.pk}/")
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.get_by_role("region", name="Asked")).to_contain_text("Where is hub0?")
    expect(page.get_by_role("region", name="Expected")).to_contain_text("hub")
    expect(page.locator("#output mark.judged--pass")).to_have_text("hub")
    why = page.get_by_role("region", name="Why")
    expect(why.get_by_role("link", name="answer")).to_be_visible()
    for name in ("Asked", "Answered", "Expected", "Why"):
        box = page.get_by_role("region", name=name, exact=True).bounding_box()
        assert box["y"] + box["height"] <= 900, name
    assert not troubles(page)
    why.get_by_role("link", name="Step").click()
    expect(page.locator("#step-title")).to_contain_text("Final output finalized")
    page.go_back()
    page.keyboard.press("s")
    page.wait_for_url("**/stored/")
    assert errors == []


def test_the_conversation_reads_as_a_chat_with_calls_and_results_in_one_row(open_as, as_author, trial, errors):
    page = open_as(as_author, f"/runs/trials/{trial.pk}/")
    page.keyboard.press("t")
    page.wait_for_url("**/conversation/")
    rows = page.locator(".call")
    expect(rows).to_have_count(2)
    expect(rows.nth(0).locator(".call__line")).to_have_text('list_files(".")')
    expect(rows.nth(1)).to_contain_text("none.txt")
    expect(rows.nth(1).get_by_role("img", name="Trouble")).to_be_visible()
    rows.nth(1).locator("summary").focus()
    page.keyboard.press("Enter")
    expect(rows.nth(1).get_by_label("Result")).to_contain_text("not found")
    expect(page.locator(".said--agent")).to_contain_text("The parcel left the hub.")
    assert not troubles(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert errors == []


def test_a_row_of_the_replay_says_what_happened(open_as, as_author, trial, errors):
    page = open_as(as_author, f"/replays/{trial.pk}/")
    heads = page.locator(".steprow__head")
    expect(heads.filter(has_text='list_files(".")')).to_have_count(1)
    failed = page.locator(".steprow--trouble").filter(has_text='read_file("none.txt")')
    expect(failed.locator(".steprow__snippet")).to_contain_text("not found")
    expect(heads.filter(has_text="The parcel left the hub.")).to_have_count(1)
    assert errors == []


def test_the_files_that_an_agent_left_are_a_key_away(open_as, as_author, trial, errors):
    payload = {"files": {"notes/<b>.md": "<script>document.title = 'run'</script>", "plot.png": {"base64": PIXEL}}}
    stated = {"source": "test", "occurred_at": trial.run.created_at}
    trial.events.create(sequence=900, event_type="workspace.captured", payload=payload, **stated)
    page = open_as(as_author, f"/runs/trials/{trial.pk}/")
    page.keyboard.press("d")
    page.wait_for_url("**/files/")
    page.locator("summary", has_text="notes/<b>.md").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("notes/<b>.md", exact=True)).to_have_text("<script>document.title = 'run'</script>")
    page.locator("summary", has_text="plot.png").click()
    picture = page.get_by_role("img", name="plot.png")
    expect(picture).to_be_visible()
    picture.evaluate("image => image.decode()")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download notes/<b>.md").click()
    assert Path(download.value.path()).read_text().startswith("<script>")
    assert not troubles(page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert errors == []
