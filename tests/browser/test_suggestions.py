"""A model suggests answers, and a person says what they are, beside the proof of a case."""

import json

import pytest
from playwright.sync_api import expect

from packs.editing.files import file_content
from packs.formats.document import PROOF_FILE
from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Job
from packs.views.workbench.addresses import workbench_url
from runs.jobs.proofs import stated_answers
from tests.browser.test_workbench import control, saved
from tests.corpora import ROOT
from tests.runs.connections import make_connection
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.browser
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
REPLY = {
    "wrong": [{"answer": "Leeds or York", "why": "It names two hubs."}, {"answer": "York", "why": "Another hub."}],
    "right": [{"answer": "The hub is in Leeds", "why": "It names the hub in a sentence."}],
}


@pytest.fixture
def case(transactional_db, team, author):
    loose = {"says": ("contains", *TIDY[1:])}
    return import_pack(team, author, challenge(loose, ["Leeds"]), "planted").cases.get()


def test_suggested_answers_are_asked_for_settled_and_changed(
    open_as, as_author, case, team, model_server, settings, errors
):
    settings.ENDPOINT_HOSTS = ["127.0.0.1"]
    make_connection(team, model_server, model_list=[{"name": "small"}], max_retries=0)
    model_server.reply(json.dumps(REPLY))
    lens = f"{workbench_url(case.pack, case)}?lens=proof"
    page = open_as(as_author, lens)
    asking = page.get_by_role("form", name="Ask a model for answers")
    expect(asking).to_contain_text("Asking takes 1 call and about")
    expect(asking.get_by_role("combobox")).to_contain_text("small of models, price unknown")
    asking.get_by_role("button", name="Ask for answers").click()
    page.wait_for_url("**/jobs/*/")
    execute_job(Job.objects.get(kind="suggest").pk)
    expect(page.get_by_role("link", name="See the answers")).to_be_visible()

    page.goto(page.url.partition("/packs/")[0] + lens)
    found = page.get_by_role("region", name="Suggested answers")
    expect(found.get_by_role("listitem")).to_have_count(3)
    for width, theme in ((1440, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        page.evaluate(AXE.read_text("utf-8"))
        assert page.evaluate("axe.run('#proof').then((found) => found.violations.map((each) => each.id))") == []
    page.set_viewport_size({"width": 1440, "height": 900})
    loose = found.get_by_role("listitem").filter(has_text="Leeds or York")
    expect(loose.locator(".chip", has_text="Passed")).to_be_visible()
    loose.get_by_role("button", name="This is wrong").click()
    expect(page.locator("#proof code", has_text="accepts_wrong")).to_be_visible()
    found.get_by_role("listitem").filter(has_text="York").get_by_role("button", name="Dismiss").click()
    expect(found.get_by_role("listitem")).to_have_count(1)
    assert b"Leeds or York" in (file_content(case.pack, PROOF_FILE) or b"")
    changed_and_removed(page, case)
    assert [text for text in errors if "422" not in text] == []


def changed_and_removed(page, case):
    """Change the one stated answer to one with files and an event, then take it away."""
    stated = page.get_by_role("region", name="Stated answers").get_by_role("listitem")
    stated.filter(has_text="Leeds or York").get_by_role("link", name="Change").click()
    form = page.get_by_role("form", name="Change an answer")
    form.get_by_role("textbox", name="Answer").fill("Hull")
    form.get_by_text("Files and events").click()
    form.get_by_label("Path of file 1").fill("hub.txt")
    form.get_by_label("Content of file 1").fill("Hull")
    form.get_by_role("button", name="Add a file").click()
    form.get_by_label("Path of file 2").fill("../note.txt")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_contain_text("The path of file 2 may not contain")
    form.get_by_label("Path of file 2").fill("note.txt")
    form.get_by_label("Events").fill('{"event_type": "tool.call.completed", "payload": {"tool_name": "map"}}')
    for width, theme in ((390, "dark"), (1440, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        page.evaluate(AXE.read_text("utf-8"))
        assert page.evaluate("axe.run('#proof').then((found) => found.violations.map((each) => each.id))") == []
    form.get_by_role("button", name="Save").click()
    expect(stated).to_contain_text(["1 event"])
    expect(page.locator("#proof code", has_text="accepts_wrong")).to_have_count(0)
    [kept] = stated_answers(case)
    assert (kept.work.text, dict(kept.work.files)) == ("Hull", {"hub.txt": "Hull", "note.txt": ""})
    assert kept.origin == "suggested by small"
    stated.get_by_role("button", name="Remove").click()
    expect(stated).to_have_count(0)
    assert stated_answers(case) == []
    # What is written beside it is tried, and what stands in its form stays meanwhile.
    expect(page.locator("#proof")).to_contain_text("not Leeds")
    control(page, "/expectations/0/value").fill("Hull")
    saved(page)
    expect(page.locator("#proof")).to_contain_text("not Hull")
    form = page.get_by_role("form", name="State an answer")
    form.get_by_role("textbox", name="Answer").fill("Typed")
    control(page, "/expectations/0/value").fill("York")
    saved(page)
    page.wait_for_timeout(1500)
    expect(form.get_by_role("textbox", name="Answer")).to_have_value("Typed")
