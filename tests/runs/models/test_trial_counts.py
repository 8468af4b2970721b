"""The counts of trials as pages read them."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from runs.launch.launching import launch
from runs.models import TrialCount
from runs.models.trial_counts import StateCount, stamps_of, trial_counts_of
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_counts_add_up_by_agent_status_and_reason_in_one_query(author, version, agents):
    run = work_off(launch(author, version, [agents["echo"], agents["empty"]]))
    run.trials.filter(run_agent__name="empty", case_position=2).update(
        status="cancelled", stop_reason="cost", score=None
    )
    with CaptureQueriesContext(connection) as queries:
        found = trial_counts_of(run.pk)
    assert len(queries) == 1
    echo, empty = run.agents.order_by("position")
    assert found.counts() == {"passed": 3, "failed": 2, "cancelled": 1}
    assert found.by_agent == {echo.pk: {"passed": 3}, empty.pk: {"failed": 2, "cancelled": 1}}
    assert {reason: state_count.trials for reason, state_count in found.by("stop_reason").items()}["cost"] == 1
    assert found.by("run_agent")[echo.pk].mean_score == 1.0


def test_runs_are_counted_together_and_a_run_without_trials_has_no_counts(author, version, agents):
    runs = [launch(author, version, [agents["echo"]]) for _ in range(2)]
    assert trial_counts_of(*(run.pk for run in runs)).counts() == {"queued": 6}
    assert trial_counts_of(0).counts() == {}
    assert (trial_counts_of(0).stamp, stamps_of(0)) == (0, {0: 0})
    assert stamps_of(*(run.pk for run in runs)) == {run.pk: trial_counts_of(run.pk).stamp for run in runs}


def test_a_mean_is_of_the_trials_that_have_a_value():
    assert StateCount(trials=5, scored=2, score=1.5).mean_score == 0.75
    assert (StateCount(trials=5).mean_score, StateCount().mean_cost, StateCount().mean_seconds) == (None, None, None)


def test_only_members_of_the_team_see_the_counts_of_a_run(author, stranger, version, agents):
    launch(author, version, [agents["echo"]])
    assert TrialCount.objects.visible_to(author).exists()
    assert not TrialCount.objects.visible_to(stranger).exists()
