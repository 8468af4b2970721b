"""Runs from the first job to the last, and the sweeper, in the process of the test."""

from datetime import timedelta

import pytest
from django.utils import timezone

from runs.jobs.queue import heartbeats
from runs.jobs.tasks import sweep
from runs.launch.launching import launch
from runs.models import Agent, Grade, Run, RunStatus, Trial, TrialStatus
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_a_run_ends_with_every_trial_scored_and_stored(author, version, agents):
    run = work_off(launch(author, version, [agents["echo"], agents["empty"]]))
    assert run.status == RunStatus.COMPLETED
    assert run.counts == {"passed": 3, "failed": 3}
    trial = Trial.objects.filter(run=run, run_agent__name="echo").first()
    assert "hub" in trial.final_output
    assert trial.score == 1.0
    assert trial.scorecard["validator_details"][0]["verdict"] == "pass"
    assert Grade.objects.get(trial=trial).verdict == "pass"
    sequences = list(trial.events.values_list("sequence", flat=True))
    assert sequences == list(range(1, trial.event_count + 1))
    types = list(trial.events.values_list("event_type", flat=True))
    assert (types[0], types[-1]) == ("system.run.started", "scoring.completed")


def test_the_reference_agent_passes_a_sound_case(author, version, agents):
    assert work_off(launch(author, version, [agents["reference"]])).counts == {"passed": 3}


def test_a_mistake_in_the_pack_is_an_error_of_the_pack(author, team, agents):
    version = publish_text(team, author, pack_text({"default": 1}, kind="regex_match", answer='"("'))
    run = work_off(launch(author, version, [agents["echo"]]))
    trial = run.trials.get()
    assert (trial.status, trial.fault) == (TrialStatus.ERROR, "pack")
    assert run.status == RunStatus.FAILED


def test_an_agent_that_fails_has_failed_by_its_own_fault(author, version, team):
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config={"default": {"error": "no key"}})
    run = work_off(launch(author, version, [agent]))
    assert run.counts == {"failed": 3}
    assert set(run.trials.values_list("fault", "error")) == {("agent", "no key")}


def test_a_job_that_takes_long_does_not_wait_for_the_transaction_of_its_test(
    author, version, team, monkeypatch, caplog
):
    monkeypatch.setattr(heartbeats, "EXTENSION_SECONDS", 0)
    config = {"default": {"output": "It is at the hub."}, "delay_seconds": 0.5}
    work_off(launch(author, version, [Agent.objects.create(team=team, name="late", kind="scripted", config=config)]))
    assert "lease-not-extended" not in caplog.text


def test_a_run_whose_end_nobody_noted_is_ended_by_the_sweeper(author, version, agents):
    run = work_off(launch(author, version, [agents["echo"]]))
    for status in (RunStatus.RUNNING, RunStatus.SCORING):
        Run.objects.filter(pk=run.pk).update(status=status, finished_at=None)
        sweep()
        run.refresh_from_db()
        assert run.status == RunStatus.COMPLETED


def test_jobs_that_got_lost_are_sent_again_but_not_while_they_may_only_be_late(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    Run.objects.filter(pk=run.pk).update(enqueued_at=timezone.now())
    assert sweep() == 0
    Run.objects.filter(pk=run.pk).update(enqueued_at=timezone.now() - timedelta(seconds=10))
    assert sweep() > 0
    assert sweep() == 0
    assert sweep(starting=True) > 0
