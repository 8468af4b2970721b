"""Seeing who sees what of a case, trying answers to it, and dropping files."""

import json

import pytest
from playwright.sync_api import expect

from packs import blobs
from packs.importing import import_pack
from runs.jobs.tasks import execute_tryout
from runs.models import Tryout
from runs.sandbox import bubblewrap
from tests.browser.axe import troubles

pytestmark = pytest.mark.browser
EDIT = "/packs/default/quiz/edit/"
ROWS = (
    {
        "id": "hub/1",
        "family": "short_answer",
        "input": {"question": "Which hub?"},
        "eval": {"accepted_answers": ["Leeds hub"]},
    },
    {
        "id": "lines/1",
        "family": "terminal_task",
        "input": {"instructions": "Count the lines."},
        "assets": [{"path": "lines.txt"}],
        "eval": {"checker": {"command": "sh securebench/evaluation_inputs/run.sh"}, "run_tests": {"path": "run.sh"}},
        "environment": {"image": "python"},
    },
)


@pytest.fixture
def quiz(transactional_db, team, author):
    files = {
        "manifest.yaml": b"id: quiz\nversion: 1\n",
        "tasks.jsonl": b"".join(json.dumps(row).encode() + b"\n" for row in ROWS),
        "assets/lines.txt": b"one\ntwo\n",
        "hidden/run.sh": b"test $(cat count) = 2\n",
    }
    return import_pack(team, author, files, "quiz")


def pk_of(quiz, key):
    return quiz.cases.get(key=key).pk


def test_an_answer_that_is_given_away_is_told_while_it_is_typed(open_as, as_author, quiz, errors):
    page = open_as(as_author, f"{EDIT}cases/{pk_of(quiz, 'hub/1')}/?lens=preview")
    expect(page.locator("[data-side]")).to_have_count(4)
    expect(page.locator("[data-leaks]")).to_have_count(0)
    page.locator('#editor [name$=":/input/question"]').fill("Is it the Leeds hub?")
    expect(page.locator("[data-leaks='1']")).to_be_visible()
    expect(page.locator("[data-side='agent'] .seen--leaked").first).to_be_visible()
    expect(page.locator("[data-side='agent']")).not_to_contain_text("accepted_answers")
    expect(page.locator("[data-side='evaluator'] .seen--hidden").first).to_contain_text("Leeds hub")
    assert errors == []


def test_an_answer_is_tried_beside_the_form_and_stays_while_the_case_is_edited(open_as, as_author, quiz, errors):
    page = open_as(as_author, f"{EDIT}cases/{pk_of(quiz, 'hub/1')}/?lens=try")
    page.get_by_label("Answer", exact=True).fill("It is York")
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#tryout [data-state='failed']")).to_be_visible()
    page.locator('#editor [name="t:/eval/accepted_answers/0"]').fill("York")
    expect(page.locator("#savestate")).to_contain_text("rev 2")
    expect(page.get_by_label("Answer", exact=True)).to_have_value("It is York")
    page.get_by_role("button", name="Try it").click()
    expect(page.locator("#tryout [data-state='passed']")).to_be_visible()
    page.get_by_role("link", name="Begin with the gold answer").click()
    expect(page.get_by_label("Answer", exact=True)).to_have_value("York")
    assert errors == []


@pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined")
def test_what_a_worker_judges_appears_by_itself(open_as, as_author, quiz, errors):
    page = open_as(as_author, f"/tryouts/cases/{pk_of(quiz, 'lines/1')}/")
    page.get_by_label("Path of file 1").fill("count")
    page.get_by_label("Content of file 1").fill("2")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#tryout [data-state='queued']")).to_be_visible()
    execute_tryout(Tryout.objects.get().pk)
    expect(page.locator("#tryout [data-state='passed']")).to_be_visible()
    assert errors == []


DROP = """([selector, name, text]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], name));
  document.querySelector(selector).dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
}"""


def test_a_file_is_dropped_where_agents_do_not_see_it(open_as, as_author, quiz, errors):
    page = open_as(as_author, f"{EDIT}files/")
    expect(page.locator(".root--hidden")).to_have_count(1)
    with page.expect_navigation():
        page.evaluate(DROP, ["[data-root='hidden/'] .drop", "check.py", "assert True"])
    expect(page.locator("[data-root='hidden/']")).to_contain_text("hidden/check.py")
    expect(page.locator("[data-root='assets/']")).not_to_contain_text("check.py")
    assert blobs.read(quiz.assets.get(key="hidden/check.py").blob_id) == b"assert True"
    assert errors == []


def test_everybody_can_use_these_pages(open_as, as_author, quiz):
    case = pk_of(quiz, "lines/1")
    page = open_as(as_author, f"{EDIT}files/")
    base = page.url.partition("/packs/")[0]
    for path in (f"{EDIT}files/", f"{EDIT}cases/{case}/sides/", f"/tryouts/cases/{case}/"):
        page.goto(f"{base}{path}")
        assert troubles(page, least=None) == {}, path
