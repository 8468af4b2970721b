"""Adding checks from the gallery by keyboard alone, in every format."""

import re

import pytest
from playwright.sync_api import expect

from packs.formats.task_suite import dump, starter
from packs.importing import import_pack
from tests.corpora import ROOT
from tests.services import wait_until

pytestmark = pytest.mark.browser
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SUITE = b"name: parcels\ntests:\n- id: where\n  criteria: Names the hub.\n  input: Where is PX-1?\n  assertions: []\n"
ROW = b'{"id": "a", "family": "short_answer", "input": {}, "eval": {}}\n'


@pytest.fixture
def suite(transactional_db, team, author):
    return import_pack(team, author, {"parcels.eval.yaml": SUITE}, "parcels", format="agentv")


@pytest.fixture
def quiz(transactional_db, team, author):
    files = {"manifest.yaml": b"id: quiz\nversion: 1\n", "tasks.jsonl": ROW}
    return import_pack(team, author, files, "quiz", format="benchmark_pack")


@pytest.fixture
def tasks(transactional_db, team, author):
    started = import_pack(team, author, dump(starter("tasks", "Tasks")), "tasks", format="task_suite")
    case = started.cases.first()
    case.document = {**case.document, "graders": []}
    case.save()
    return started


def edit(draft, path):
    return f"/packs/{draft.team.slug}/{draft.slug}/edit/{path}"


def add(page, words, *steps, letter="c"):
    """Open the gallery by its keys, type words, choose and add."""
    page.keyboard.type(f"a{letter}")
    expect(page.locator("#gallery")).to_be_visible()
    page.keyboard.type(words)
    expect(page.locator("#gallery [aria-selected='true']")).to_be_visible()
    for key in steps:
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator("#gallery")).to_be_hidden()


def save(page, node, is_stored):
    """Save what was typed; a slow machine may have saved the first part of it before, as a revision of its own."""

    def has_it():
        node.refresh_from_db()
        return is_stored(node.document)

    page.keyboard.press("Control+s")
    wait_until(has_it, "what was typed")
    expect(page.locator("#savestate")).to_contain_text("Saved")


def spec_of(document):
    return document["version"]["evaluation_spec"]


def focused(page):
    return page.locator(":focus")


def test_an_assertion_of_agentv(open_as, as_author, suite, errors):
    case = suite.cases.get()
    page = open_as(as_author, edit(suite, f"cases/{case.pk}/"))
    add(page, "pattern found")
    expect(focused(page)).to_have_attribute("name", re.compile("t.?:/assertions/0/value"))
    # Before only the fields of its own type appeared, an assertion had 50 controls.
    own = page.locator(':is([name*="/assertions/0"], [value*="/assertions/0"]):visible').count()
    assert 0 < own <= 50 / 3
    page.keyboard.type("PX-[0-9]+")
    expect(page.locator('[name$="/budget"], [name$="/command"]')).to_have_count(0)
    save(page, case, lambda it: it["assertions"] == [{"type": "regex", "value": "PX-[0-9]+"}])
    assert errors == []


def test_a_validator_and_a_judge_of_a_challenge_pack(open_as, as_author, draft, errors):
    page = open_as(as_author, edit(draft, "pack/?section=version.evaluation_spec.validators"))
    add(page, "regex_match")
    expect(focused(page)).to_have_attribute("name", re.compile(r"/expected_from$"))
    page.keyboard.type("literal:PX-[0-9]+")
    page.keyboard.press("Escape")
    save(page, draft, lambda it: spec_of(it)["validators"][-1].get("expected_from") == "literal:PX-[0-9]+")
    add(page, "statement")
    page.wait_for_url("**llm_judges**")
    expect(focused(page)).to_have_attribute("name", re.compile(r"/assertion$"))
    draft.refresh_from_db()
    assert spec_of(draft.document)["llm_judges"][-1] == {"mode": "assertion", "key": "assertion"}
    assert errors == []


def test_a_grader_of_a_task_suite(open_as, as_author, tasks, errors):
    case = tasks.cases.first()
    page = open_as(as_author, edit(tasks, f"cases/{case.pk}/"))
    add(page, "the answer", "ArrowDown", "ArrowUp")
    expect(page.locator('[name="t:/graders/0/type"]')).to_have_value("string_match")
    case.refresh_from_db()
    assert case.document["graders"] == [{"type": "string_match", "patterns": []}]
    assert errors == []


def test_the_family_of_a_row(open_as, as_author, quiz, errors):
    row = quiz.cases.get()
    page = open_as(as_author, edit(quiz, f"cases/{row.pk}/"))
    add(page, "free response")
    expect(page.locator("#savestate")).to_contain_text("rev 2")
    row.refresh_from_db()
    assert row.document["family"] == "free_response"
    assert errors == []


def test_a_tool_of_a_challenge_pack(open_as, as_author, draft, errors):
    page = open_as(as_author, edit(draft, "pack/?section=tools"))
    add(page, "looks up", letter="t")
    expect(focused(page)).to_have_attribute("name", re.compile(r"/tools/custom/0/name$"))
    page.keyboard.type("look_up_parcel")
    save(page, draft, lambda it: it["tools"]["custom"][0].get("name") == "look_up_parcel")
    assert errors == []


@pytest.mark.parametrize("width", [1440, 390])
def test_the_gallery_is_accessible(open_as, as_author, suite, width, errors):
    page = open_as(as_author, edit(suite, f"cases/{suite.cases.get().pk}/"))
    page.set_viewport_size({"width": width, "height": 900})
    page.keyboard.type("ac")
    expect(page.locator("#gallery")).to_be_visible()
    page.evaluate(AXE.read_text())
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        assert [(item["id"], node["target"]) for item in found["violations"] for node in item["nodes"]] == []
    page.keyboard.type("no such words")
    expect(page.get_by_text("No kind matches.")).to_be_visible()
    page.get_by_label("Search kinds of check").fill("")
    assert errors == []


def test_a_check_is_tried_while_an_answer_is_typed_and_again_when_it_changes(open_as, as_author, suite, errors):
    case = suite.cases.get()
    page = open_as(as_author, edit(suite, f"cases/{case.pk}/"))
    add(page, "pattern found")
    page.keyboard.type("PX-[0-9]+")
    save(page, case, lambda it: it["assertions"][0].get("value") == "PX-[0-9]+")
    answer = page.get_by_label("Try on an answer")
    for _ in range(8):
        if answer.evaluate("area => area === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.type("Parcel PX-41")
    said = page.locator(".tryout-check__said [data-state]")
    expect(said).to_have_attribute("data-state", "pass")
    page.get_by_role("textbox", name="Value", exact=True).fill("QX-[0-9]+")
    expect(said).to_have_attribute("data-state", "fail")
    expect(answer).to_have_value("Parcel PX-41")
    assert errors == []
