"""Trying an answer on the page of a case, and in its lens."""

import json

import pytest

from packs.access import Role
from packs.importing import import_pack
from runs.jobs.tasks import execute_tryout
from runs.models import Tryout
from runs.sandbox import bubblewrap
from tests.people import client_of, make_member
from tests.runs.connections import make_connection
from tests.runs.judged_packs import RANKING, RUBRIC, judged_text

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}
ROWS = (
    {
        "id": "hub/1",
        "family": "short_answer",
        "input": {"question": "Which hub?"},
        "eval": {"accepted_answers": ["Leeds"]},
    },
    {
        "id": "lines/1",
        "family": "terminal_task",
        "input": {"instructions": "Count the lines."},
        "eval": {"checker": {"command": "test $(cat count) = 2"}},
        "environment": {"image": "python"},
    },
)


@pytest.fixture
def quiz(team, author):
    files = {
        "manifest.yaml": b"id: quiz\nversion: 1\n",
        "tasks.jsonl": b"".join(json.dumps(row).encode() + b"\n" for row in ROWS),
    }
    return import_pack(team, author, files, "quiz")


def address_of(pack, key):
    return f"/tryouts/cases/{pack.cases.get(key=key).pk}/"


def test_an_answer_gets_its_verdict_and_reasons_at_once(as_author, quiz):
    address = address_of(quiz, "hub/1")
    assert "Which hub?" in as_author.get(address).content.decode()
    answer = as_author.post(address, {"output": "It is\r\nLeeds"}, headers=HTMX)
    assert "<html" not in answer.content.decode()
    tried = answer.context["tried"]
    assert (tried.output, tried.verdict) == ("It is\nLeeds", "passed")
    [grade] = answer.context["grades"]
    assert grade["verdict"] == "pass"
    assert 'data-state="passed"' in answer.content.decode()


def test_without_script_the_verdict_is_on_the_page_that_follows(as_author, quiz):
    address = address_of(quiz, "hub/1")
    shown = as_author.post(address, {"output": "York"}, follow=True)
    assert shown.context["tried"].verdict == "failed"
    assert shown.context["wish"].output == "York"
    again = as_author.get(f"/tryouts/{shown.context['tried'].pk}/")
    assert again.headers["Location"].startswith(address)


def test_the_form_can_begin_with_the_gold_answer(as_author, quiz):
    shown = as_author.get(f"{address_of(quiz, 'hub/1')}?with=reference")
    assert shown.context["wish"].output == "Leeds"
    assert not shown.context["takes_files"]


@pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle() or "confined")
def test_what_a_worker_judges_is_waited_for_on_the_page(as_author, quiz):
    address = address_of(quiz, "lines/1")
    more = as_author.post(address, {"output": "", "path": "count", "text": "2", "more": "yes"})
    assert more.context["wish"].files == [("count", "2"), ("", "")]
    assert not Tryout.objects.exists()
    waiting = as_author.post(address, {"output": "", "path": ["count", ""], "text": ["2", ""]}, headers=HTMX)
    tried = waiting.context["tried"]
    part = f"/tryouts/{tried.pk}/"
    assert f'hx-get="{part}"' in waiting.content.decode()
    execute_tryout(tried.pk)
    judged = as_author.get(part, headers=HTMX)
    assert 'data-state="passed"' in judged.content.decode()
    assert f'hx-get="{part}"' not in judged.content.decode()


def test_a_case_with_errors_says_what_to_do(as_author, quiz):
    case = quiz.cases.get(key="hub/1")
    case.document = {**case.document, "eval": {}}
    case.findings = [
        {"code": "x.E1", "severity": "error", "path": [], "message": "", "hint": "", "rule": "", "field": ""}
    ]
    case.save()
    assert as_author.get(address_of(quiz, "hub/1")).context["task"] is None
    refused = as_author.post(address_of(quiz, "hub/1"), {"output": "x"})
    assert (refused.status_code, refused.context["wish"].refused.code) == (422, "unusable_case")


def test_readers_see_what_was_tried_and_try_nothing(as_author, team, quiz):
    address = address_of(quiz, "hub/1")
    as_author.post(address, {"output": "Leeds"})
    viewer = client_of(make_member(team, Role.VIEWER))
    shown = viewer.get(f"{address}?tried={Tryout.objects.get().pk}")
    assert shown.context["tried"].verdict == "passed"
    assert "<textarea" not in shown.content.decode()
    assert viewer.post(address, {"output": "Leeds"}).status_code == 403


def test_each_judge_has_a_button_of_its_own(as_author, author, team, model_server, local_endpoints):
    make_connection(team, model_server, model_list=[{"name": "gpt-small"}])
    pack = import_pack(team, author, {"pack.yaml": judged_text(1, RUBRIC, RANKING).encode()}, "judged")
    address = f"/tryouts/cases/{pack.cases.get().pk}/"
    judges = {judge["key"]: judge for judge in as_author.get(address).context["judges"]}
    assert judges["tone"]["can_be_asked"]
    assert judges["best"]["ranks"]
    assert "can_be_asked" not in judges["best"]
    unasked = as_author.post(address, {"output": "Dear customer"}, headers=HTMX)
    assert [judge["problem"] for judge in unasked.context["judges"]][0]
    asked = as_author.post(address, {"output": "Dear customer", "ask": "tone"}, headers=HTMX)
    assert (asked.context["tried"].judges, asked.context["tried"].is_open) == (["tone"], True)


def test_a_tried_answer_leads_on_to_the_lens_of_its_case(as_author, quiz):
    case = quiz.cases.get(key="hub/1")
    lens = as_author.get(f"/packs/{quiz.team.slug}/{quiz.slug}/edit/cases/{case.pk}/?lens=try")
    assert f'hx-get="/tryouts/cases/{case.pk}/"' in lens.content.decode()
