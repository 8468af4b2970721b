"""Trying again keeps what was there."""

import pytest

from runs.jobs.trials.control import cancel, pause
from runs.jobs.trials.retrying import retry
from runs.launch.launching import launch
from runs.models import Agent, Attempt, Event, RunStatus
from tests.runs.connections import make_connection
from tests.runs.grading.judges.benches import scores
from tests.runs.judged_packs import judged_text
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent(team):
    """An agent that fails the first case and passes the others."""
    answers = {"case-0000": {"error": "no answer"}}
    config = {"answers": answers, "default": "It is at the hub."}
    return Agent.objects.create(team=team, name="s", kind="scripted", config=config)


@pytest.fixture
def run(author, version, agent):
    return work_off(launch(author, version, [agent]))


def fix(run):
    run.agents.update(config={"default": "It is at the hub."})


def test_failed_trials_are_run_again_and_what_they_were_is_kept(run, author):
    assert run.counts == {"passed": 2, "failed": 1}
    trial = run.trials.get(status="failed")
    events = list(trial.events.values_list("sequence", "event_type"))
    others = set(run.trials.exclude(pk=trial.pk).values_list("pk", "finished_at"))
    fix(run)
    assert retry(run, "failed", author) == 1
    run.refresh_from_db()
    assert (run.status, run.finished_at, run.counts) == (RunStatus.QUEUED, None, {"passed": 2, "queued": 1})
    assert work_off(run).counts == {"passed": 3}
    attempt = Attempt.objects.get(trial=trial)
    assert (attempt.number, attempt.status, attempt.fault, attempt.error) == (1, "failed", "agent", "no answer")
    assert [(event["sequence_number"], event["event_type"]) for event in attempt.events] == events
    assert attempt.grades[0]["key"] == "answer"
    assert attempt.replaced_by == author
    trial.refresh_from_db()
    assert (trial.status, trial.error, trial.fault) == ("passed", "", "")
    assert Event.objects.filter(trial=trial).count() == trial.event_count
    assert set(run.trials.exclude(pk=trial.pk).values_list("pk", "finished_at")) == others


def test_a_run_that_goes_on_keeps_no_figures_of_its_first_end(run):
    assert run.agents.first().summary
    retry(run, "failed")
    run.refresh_from_db()
    assert (run.scorecard, [entry.summary for entry in run.agents.all()]) == ({}, [{}] * run.agents.count())
    work_off(run)
    assert run.scorecard["agents"]
    assert all(entry.summary["statuses"] for entry in run.agents.all())


def test_attempts_are_numbered_one_after_the_other(run):
    for _ in range(3):
        assert retry(run, "failed") == 1
        work_off(run)
    assert list(Attempt.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_only_errors_are_tried_again_unless_more_is_asked(run):
    assert retry(run) == 0
    run.refresh_from_db()
    assert run.status == RunStatus.COMPLETED


def test_a_mistake_of_the_pack_is_an_error_that_can_be_tried_again(author, team, agents):
    version = publish_text(team, author, pack_text({"default": 2}, kind="regex_match", answer='"("'))
    run = work_off(launch(author, version, [agents["echo"]]))
    assert run.status == RunStatus.FAILED
    assert retry(run) == 2
    assert work_off(run).status == RunStatus.FAILED
    assert Attempt.objects.count() == 2


def test_undecided_trials_are_tried_again_once_their_judge_answers(
    as_author, author, team, agents, model_server, local_endpoints
):
    """The judge's model was not connected: the trials were undecided, and a retry was refused."""
    version = publish_text(team, author, judged_text(2))
    run = work_off(launch(author, version, [agents["echo"]]))
    assert run.counts == {"undecided": 2}
    assert b"Retry 2 undecided" in as_author.get(f"/runs/{run.pk}/").content
    assert retry(run) == 0
    make_connection(team, model_server, model_list=[{"name": "gpt-small"}])
    model_server.reply(scores(5))
    assert retry(run, "undecided") == 2
    assert work_off(run).counts == {"passed": 2}
    assert set(Attempt.objects.values_list("status", flat=True)) == {"undecided"}


def test_a_cancelled_run_can_be_taken_up_again(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    cancel(run)
    assert retry(run, "cancelled") == 3
    assert work_off(run).counts == {"passed": 3}
    assert run.cancel_requested_at is None


def test_a_paused_run_stays_paused(run):
    fix(run)
    run.trials.filter(status="passed").update(status="queued")
    run.status = RunStatus.QUEUED
    run.save()
    assert pause(run)
    assert retry(run, "failed") == 1
    run.refresh_from_db()
    assert (run.status, run.trials.filter(status="queued").count()) == (RunStatus.PAUSED, 3)


def test_the_time_between_two_tries_is_not_the_duration_of_the_run(run):
    before = run.finished_at - run.started_at
    run.started_at -= (day := run.created_at - run.created_at.replace(day=1, month=1))
    run.finished_at -= day
    run.save()
    fix(run)
    retry(run, "failed")
    work_off(run)
    assert run.finished_at - run.started_at < before + (day / 2)
