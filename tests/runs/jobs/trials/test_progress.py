"""The end of a run, and its cancellation."""

import pytest

from runs.jobs.queue.leases import claim, new_mark
from runs.jobs.tasks import execute_trials, sweep
from runs.jobs.trials.control import cancel
from runs.launch.launching import launch
from runs.models import Agent, RunStatus
from tests.runs.working import lose, work_off

pytestmark = pytest.mark.django_db


def test_the_run_says_which_agent_won_and_what_each_reached(author, version, agents):
    run = work_off(launch(author, version, [agents["empty"], agents["echo"]]))
    winner = run.agents.get(name="echo")
    assert run.scorecard["winning_run_agent_id"] == str(winner.pk)
    assert winner.summary["statuses"] == {"passed": 3}
    assert run.agents.get(name="empty").summary["statuses"] == {"failed": 3}


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


def test_a_run_that_cannot_be_closed_keeps_no_other_from_ending(author, version, agents):
    broken, whole = (launch(author, version, [agents["echo"]]) for _ in range(2))
    for run in (broken, whole):
        run.trials.update(status="passed")
    broken.trials.update(scorecard={"llm_judge_details": [{}]})
    sweep()
    whole.refresh_from_db()
    assert (whole.status, whole.counts) == (RunStatus.COMPLETED, {"passed": 3})


def test_a_run_with_cases_that_nobody_recorded_is_completed_and_those_were_not_tried(as_author, team, author, version):
    rows = [{"case_key": "case-0000", "output": "at the hub"}]
    agent = Agent.objects.create(team=team, name="r", kind="recorded", config={"outputs": rows})
    run = work_off(launch(author, version, [agent]))
    assert (run.status, run.counts) == (RunStatus.COMPLETED, {"passed": 1, "cancelled": 2})
    assert run.trials.filter(status="cancelled", stop_reason="not_recorded", fault="").count() == 2
    page = as_author.get(f"/runs/{run.pk}/")
    assert page.context["ends"] == [("Not tried: nothing recorded", 2)]
    assert run.agents.get().summary["passed"] == 1
