import pytest
from django.urls import reverse

from packs.access import Role
from runs.jobs.tasks import execute_trials
from runs.jobs.trials.answering import answer
from runs.models import HumanTurn, Trial, TrialStatus
from tests.people import client_of, make_member
from tests.runs.conversations import begin, only_trial, only_turn
from tests.runs.engine.conversation.stage import person, scripted

PART = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def run(author, team, agents):
    return begin(author, team, agents["echo"], scripted("open", "Hello there"), person())


def page_of(turn):
    return reverse("runs:turn", args=[turn.pk])


def text_of(response):
    return response.content.decode()


def test_home_run_trial_and_list_say_that_somebody_is_waited_for(run, as_author):
    link = page_of(only_turn(run))
    pages = [reverse("studio:home"), reverse("runs:show", args=[run.pk]), reverse("runs:turns")]
    for page in [*pages, reverse("runs:trial", args=[only_trial(run).pk])]:
        assert link in text_of(as_author.get(page))


def test_who_may_not_answer_is_not_told_to(run, team):
    viewer = client_of(make_member(team, Role.VIEWER))
    assert "turns-waiting" not in text_of(viewer.get(reverse("studio:home")))
    shown = viewer.get(page_of(only_turn(run)))
    assert (shown.status_code, 'name="text"' in text_of(shown)) == (200, False)
    assert viewer.post(page_of(only_turn(run)), {"text": "Hi"}).status_code == 403
    assert only_trial(run).status == TrialStatus.WAITING


def test_the_page_shows_what_was_said_and_takes_the_answer(run, as_author):
    turn = only_turn(run)
    shown = text_of(as_author.get(page_of(turn)))
    assert "Hello there" in shown
    assert "Be firm." in shown
    response = as_author.post(page_of(turn), {"text": "Where is\r\nthe hub?"})
    assert response.url == reverse("runs:trial", args=[turn.trial_id])
    execute_trials(run.pk)
    assert Trial.objects.get(run=run).final_output == "Where is\nthe hub?"


@pytest.mark.parametrize("text", [" \n ", "x" * 100_001])
def test_an_answer_that_cannot_be_taken_is_shown_again(run, as_author, text):
    response = as_author.post(page_of(only_turn(run)), {"text": text})
    assert (response.status_code, response.context["typed"]) == (422, text)
    assert response.context["problem"]
    assert only_turn(run).state == "waiting"


def test_the_second_of_two_answers_is_told_who_was_first_and_keeps_their_text(run, administrator, as_author):
    turn = only_turn(run)
    assert answer(turn, administrator, "I was first")
    response = as_author.post(page_of(turn), {"text": "I was second"})
    assert response.status_code == 409
    assert {"I was first", "I was second", administrator.username} <= set(words(response))


def words(response):
    text = text_of(response)
    return [word for word in ("I was first", "I was second", "administrator-default") if word in text]


def test_htmx_asks_only_how_the_turn_stands(run, author, as_author):
    turn = only_turn(run)
    part = text_of(as_author.get(page_of(turn), **PART))
    assert ("hx-get" in part, "<textarea" in part) == (True, False)
    answer(turn, author, "Done")
    assert "hx-get" not in text_of(as_author.get(page_of(turn), **PART))


def test_a_stranger_finds_no_turn(run, as_stranger):
    turn = HumanTurn.objects.get()
    assert as_stranger.get(page_of(turn)).status_code == 404
    assert page_of(turn) not in text_of(as_stranger.get(reverse("runs:turns")))
