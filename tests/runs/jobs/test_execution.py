"""Jobs, run in the process of the test."""

from datetime import timedelta

import pytest
from django.utils import timezone

from runs.jobs import cancel, execute_trials, sweep
from runs.jobs.leases import MAX_ATTEMPTS, claim, is_abandoned, new_mark
from runs.jobs.saving import LeaseLost, Ledger
from runs.launch import Options, launch
from runs.models import Agent, Event, Grade, Replay, Run, RunStatus, Trial, TrialStatus
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


def test_the_run_says_which_agent_won_and_what_each_reached(author, version, agents):
    run = work_off(launch(author, version, [agents["empty"], agents["echo"]]))
    winner = run.agents.get(name="echo")
    assert run.scorecard["winning_run_agent_id"] == str(winner.pk)
    assert winner.summary["pass_rate"] == 1.0
    assert run.agents.get(name="empty").summary["pass_rate"] == 0.0


def test_the_reference_agent_passes_a_sound_case(author, version, agents):
    assert work_off(launch(author, version, [agents["reference"]])).counts == {"passed": 3}


def test_a_run_without_cases_is_undecided_not_failed(author, bare_version, agents):
    run = work_off(launch(author, bare_version, [agents["echo"]]))
    assert run.counts == {"undecided": 1}


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


def test_every_trial_number_is_run(author, version, agents):
    run = work_off(launch(author, version, [agents["echo"]], Options(trials=4)))
    assert run.counts == {"passed": 12}


def test_texts_that_databases_refuse_are_stored_all_the_same(author, version, team):
    answer = "hub \0 caf\u00e9 \ud800"
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config={"default": answer})
    run = work_off(launch(author, version, [agent]))
    assert run.counts == {"passed": 3}
    assert run.trials.first().final_output == "hub \ufffd caf\u00e9 ?"


def test_a_long_trial_keeps_an_index_of_its_replay(author, version, team):
    events = [{"type": "tool.call.completed", "payload": {"tool_name": "look"}}] * 300
    agent = Agent.objects.create(
        team=team, name="s", kind="scripted", config={"default": {"output": "hub", "events": events}}
    )
    run = work_off(launch(author, version, [agent]))
    assert Replay.objects.filter(trial__run=run).count() == 3
    assert Replay.objects.first().index["summary"]["counts"]["tool_calls"] == 300


def test_a_claimed_trial_is_not_claimed_again(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    first, second = claim(run, 2, new_mark()), claim(run, 5, new_mark())
    assert [len(first), len(second)] == [2, 1]
    assert claim(run, 5, new_mark()) == []


def lose(run, **changes):
    Trial.objects.filter(run=run, status=TrialStatus.RUNNING).update(
        lease_until=timezone.now() - timedelta(seconds=1), **changes
    )


def test_what_a_lost_worker_left_behind_is_told_once(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    mark = new_mark()
    trials = claim(run, 3, mark)
    ledger = Ledger(mark)
    story = ledger.open(trials[0])
    ledger.note(story, event(1))
    ledger.flush()
    assert Event.objects.filter(trial=trials[0]).count() == 1
    lose(run)
    sweep()
    assert set(run.trials.values_list("status", flat=True)) == {"queued"}
    work_off(run)
    assert run.counts == {"passed": 3}
    counted = {trial.pk: trial.event_count for trial in run.trials.all()}
    assert {pk: Event.objects.filter(trial=pk).count() for pk in counted} == counted


def event(sequence):
    return {
        "sequence_number": sequence,
        "event_type": "system.run.started",
        "source": "native_engine",
        "occurred_at": timezone.now(),
        "payload": {},
    }


def test_results_of_a_lost_lease_are_thrown_away(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    mark = new_mark()
    [trial] = claim(run, 1, mark)
    ledger = Ledger(mark)
    story = ledger.open(trial)
    lose(run)
    sweep()
    ledger.flushed_at = 0.0
    with pytest.raises(LeaseLost):
        ledger.note(story, event(1))
    assert not Event.objects.filter(trial=trial).exists()


def test_a_trial_that_keeps_killing_its_worker_is_given_up(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    claim(run, 1, new_mark())
    lose(run, attempt=MAX_ATTEMPTS)
    sweep()
    work_off(run)
    assert run.counts == {"passed": 2, "error": 1}
    assert run.trials.get(status="error").fault == "machine"


def test_cancelling_ends_a_waiting_run_at_once(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    assert cancel(run)
    run.refresh_from_db()
    assert (run.status, run.counts) == (RunStatus.CANCELLED, {"cancelled": 3})
    assert not cancel(run)


def test_cancelling_lets_no_new_trial_begin_and_ends_with_those_at_work(author, version, agents):
    run = launch(author, version, [agents["echo"]])
    claim(run, 1, new_mark())
    assert cancel(run)
    assert claim(run, 5, new_mark()) == []
    run.refresh_from_db()
    assert run.finished_at is None
    lose(run)
    sweep()
    run.refresh_from_db()
    assert (run.status, run.counts) == (RunStatus.CANCELLED, {"cancelled": 3})


def test_an_ended_run_cannot_be_cancelled_and_does_not_end_twice(author, version, agents):
    run = work_off(launch(author, version, [agents["echo"]]))
    ended = run.finished_at
    assert not cancel(run)
    execute_trials(run.pk)
    sweep()
    run.refresh_from_db()
    assert run.finished_at == ended


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


def test_a_mark_of_a_process_that_is_gone_is_told_from_one_that_lives():
    assert not is_abandoned(new_mark())
    host = new_mark().partition("|")[0]
    assert is_abandoned(f"{host}|4194999|x")
    assert not is_abandoned("elsewhere|4194999|x")
