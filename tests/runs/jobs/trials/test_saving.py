"""What is stored of a trial, and under which lease."""

import pytest
from django.utils import timezone

from runs.jobs.queue.leases import claim, new_mark
from runs.jobs.tasks import sweep
from runs.jobs.trials.saving import LeaseLost, Ledger
from runs.launch.launching import launch
from runs.models import Agent, Event, Replay
from tests.runs.working import lose, work_off

pytestmark = pytest.mark.django_db


def test_texts_that_databases_refuse_are_stored_all_the_same(author, version, team):
    answer = "hub \0 caf\u00e9 \ud800"
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config={"default": answer})
    run = work_off(launch(author, version, [agent]))
    assert run.counts == {"passed": 3}
    assert run.trials.first().final_output == "hub \u2400 caf\u00e9 \ufffd"


def test_a_long_trial_keeps_an_index_of_its_replay(author, version, team):
    events = [{"type": "tool.call.completed", "payload": {"tool_name": "look"}}] * 300
    agent = Agent.objects.create(
        team=team, name="s", kind="scripted", config={"default": {"output": "hub", "events": events}}
    )
    run = work_off(launch(author, version, [agent]))
    assert Replay.objects.filter(trial__run=run).count() == 3
    assert Replay.objects.first().index["summary"]["counts"]["tool_calls"] == 300


def event(sequence):
    return {
        "sequence_number": sequence,
        "event_type": "system.run.started",
        "source": "native_engine",
        "occurred_at": timezone.now(),
        "payload": {},
    }


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
