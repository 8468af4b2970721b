import pytest

from runs.jobs.trials.answering import answer
from runs.models import HumanTurn
from tests.runs.conversations import begin, only_turn
from tests.runs.engine.conversation.stage import person, scripted


@pytest.fixture
def run(author, team, agents):
    return begin(author, team, agents["echo"], scripted("open", "Hello"), person())


def post(client, turn, data):
    return client.post(f"/api/v1/turns/{turn.pk}/answer/", data, content_type="application/json")


def codes(response):
    return [finding["code"] for finding in response.json()["findings"]]


def test_waiting_turns_are_listed_and_shown_with_what_was_said(run, as_author):
    turn = only_turn(run)
    [listed] = as_author.get("/api/v1/turns/", {"run": run.pk}).json()["results"]
    assert (listed["id"], listed["state"], listed["phase_id"]) == (turn.pk, "waiting", "agent")
    assert (listed["prompt_hint"], listed["run"], listed["agent"]) == ("Be firm.", run.pk, "echo")
    shown = as_author.get(f"/api/v1/turns/{turn.pk}/").json()
    assert [entry.get("user") for entry in shown["turns"]] == ["Hello", None]


def test_an_answer_is_taken_once(run, author, as_author):
    turn = only_turn(run)
    taken = post(as_author, turn, {"text": "Where is it?"})
    assert (taken.status_code, taken.json()["state"], taken.json()["answered_by"]) == (200, "answered", author.username)
    again = post(as_author, turn, {"text": "And now?"})
    assert (again.status_code, codes(again)) == (409, ["api.turn_not_waiting"])
    assert HumanTurn.objects.get().text == "Where is it?"
    assert as_author.get("/api/v1/turns/").json()["results"] == []


@pytest.mark.parametrize("data", [{}, {"text": ""}, {"text": "  "}, {"text": "x" * 100_001}])
def test_an_answer_without_words_or_with_too_many_is_refused(run, as_author, data):
    assert post(as_author, only_turn(run), data).status_code == 400
    assert only_turn(run).state == "waiting"


def test_an_answer_after_the_turn_was_answered_elsewhere_changes_nothing(run, administrator, as_author):
    answer(only_turn(run), administrator, "first")
    assert post(as_author, only_turn(run), {"text": "second"}).status_code == 409
    assert only_turn(run).text == "first"
