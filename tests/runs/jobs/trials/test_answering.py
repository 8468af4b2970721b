from datetime import timedelta

import pytest
from django.utils import timezone

from runs.jobs.tasks import execute_trials, sweep
from runs.jobs.trials.answering import answer
from runs.jobs.trials.control import cancel, pause, resume
from runs.jobs.trials.retrying import retry
from runs.models import Event, HumanTurn, Run, RunStatus, Trial, TrialStatus
from runs.replay import index_steps
from tests.runs.conversations import begin, only_trial, only_turn
from tests.runs.engine.conversation.stage import person, scripted
from tests.runs.working import lose

OPEN, CLOSE = scripted("open", "Hello"), scripted("close", "at the hub", trigger="manual")


@pytest.fixture
def run(author, team, agents):
    """A run whose only trial waits for a person."""
    return begin(author, team, agents["echo"], OPEN, person(timeout_ms=3_600_000), CLOSE)


def silence(turn):
    HumanTurn.objects.filter(pk=turn.pk).update(due_at=timezone.now() - timedelta(seconds=1))


def events(run):
    return list(Event.objects.filter(trial__run=run).order_by("sequence"))


def ended(run):
    execute_trials(run.pk)
    return Run.objects.get(pk=run.pk)


def test_a_trial_that_waits_holds_no_worker_and_keeps_its_run_open(run):
    trial, turn = only_trial(run), only_turn(run)
    assert (trial.status, trial.lease, trial.attempt, trial.finished_at) == (TrialStatus.WAITING, "", 0, None)
    assert (run.status, run.counts) == (RunStatus.RUNNING, {"waiting": 1})
    assert (turn.turn_index, turn.phase_id, turn.hint, turn.sequence) == (1, "agent", "Be firm.", trial.event_count)
    assert 3000 < turn.seconds_left <= 3600
    assert events(run)[-1].event_type == "turn.awaiting_human"
    sweep()
    assert only_trial(run).status == TrialStatus.WAITING


def test_an_answer_lets_the_trial_go_on_to_its_end(run, author):
    assert answer(only_turn(run), author, "Where is it?")
    assert only_trial(run).status == TrialStatus.QUEUED
    assert ended(run).status == RunStatus.COMPLETED
    trial, turn = only_trial(run), only_turn(run)
    assert (trial.status, trial.final_output) == (TrialStatus.PASSED, "at the hub")
    assert (turn.answered_by, turn.text, turn.state) == (author, "Where is it?", "answered")
    told = events(run)
    assert [event.sequence for event in told] == list(range(1, len(told) + 1))
    assert trial.event_count == len(told)
    said = [event.payload["content"] for event in told if event.event_type == "turn.user.message"]
    assert said == ["Hello", "Where is it?", "at the hub"]
    assert index_steps(event.as_event() for event in told).summary["status"] == "completed"


def test_the_time_that_a_person_took_is_part_of_the_trial(run, author):
    began = only_trial(run).started_at
    answer(only_turn(run), author, "Where is it?")
    ended(run)
    assert only_trial(run).started_at == began


def test_of_two_answers_the_first_one_counts(run, author, administrator):
    turn = only_turn(run)
    assert answer(turn, author, "first")
    assert not answer(turn, administrator, "second")
    assert only_turn(run).text == "first"


def test_when_time_is_over_the_sweeper_ends_the_wait_and_no_answer_is_taken(run, author):
    silence(only_turn(run))
    assert not answer(only_turn(run), author, "too late")
    sweep()
    assert only_turn(run).state == "expired"
    assert ended(run).status == RunStatus.COMPLETED
    [done] = [event.payload for event in events(run) if event.event_type == "conversation.completed"]
    assert (done["stop_reason"], done["human_turn_count"]) == ("human_turn_timeout", 0)


def test_a_worker_lost_after_the_answer_repeats_only_what_came_after_it(run, author):
    before = [(event.sequence, event.occurred_at) for event in events(run)]
    answer(only_turn(run), author, "Where is it?")
    Trial.objects.filter(run=run).update(status=TrialStatus.RUNNING, lease="gone", attempt=1)
    more = {"trial": only_trial(run), "event_type": "turn.user.message", "source": "multi_turn_engine"}
    Event.objects.create(sequence=len(before) + 1, occurred_at=timezone.now(), payload={"content": "half"}, **more)
    lose(run)
    sweep()
    assert ended(run).status == RunStatus.COMPLETED
    told = events(run)
    assert [(event.sequence, event.occurred_at) for event in told[: len(before)]] == before
    assert "half" not in [event.payload.get("content") for event in told]


def test_cancelling_a_run_asks_nobody_any_more(run, author):
    turn = only_turn(run)
    assert cancel(run)
    assert Run.objects.get(pk=run.pk).status == RunStatus.CANCELLED
    assert only_trial(run).status == TrialStatus.CANCELLED
    assert only_turn(run).state == "withdrawn"
    assert not answer(turn, author, "too late")


def test_a_paused_run_takes_the_answer_and_goes_on_when_it_is_resumed(run, author):
    assert pause(run)
    assert answer(only_turn(run), author, "Where is it?")
    assert ended(run).status == RunStatus.PAUSED
    resume(run)
    assert ended(run).status == RunStatus.COMPLETED


def test_a_trial_that_is_tried_again_asks_anew(author, team, agents):
    run = begin(author, team, agents["echo"], person(on_timeout="fail"))
    silence(only_turn(run))
    sweep()
    assert ended(run).status == RunStatus.FAILED
    trial = only_trial(run)
    assert (trial.status, trial.fault, trial.stop_reason) == (TrialStatus.ERROR, "person", "human_turn_timeout")
    assert retry(run) == 1
    ended(run)
    assert only_turn(run).state == "waiting"
    answer(only_turn(run), author, "the hub")
    assert ended(run).status == RunStatus.COMPLETED


def test_one_conversation_may_ask_several_people(author, team, agents):
    run = begin(author, team, agents["echo"], person("one"), OPEN | {"trigger": "manual"}, person("two"))
    answer(only_turn(run), author, "Hello")
    ended(run)
    assert [turn.state for turn in HumanTurn.objects.order_by("turn_index")] == ["answered", "waiting"]
    answer(HumanTurn.objects.get(turn_index=2), author, "the hub")
    assert ended(run).status == RunStatus.COMPLETED
