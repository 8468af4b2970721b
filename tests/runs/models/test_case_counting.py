"""When the cases of which a trial changed are counted again."""

import pytest

from runs.launch.launching import launch
from runs.models import CaseChange, CaseCount, RunAgent, case_counting, trial_counting
from runs.models.case_counting import keep_case_counts, keep_changed_counts
from tests.runs.tallied import check_case_counts
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_nothing_is_left_to_count_when_a_run_ends(author, version, agents):
    run = work_off(launch(author, version, [agents["echo"], agents["empty"]]))
    assert not CaseChange.objects.exists()
    assert CaseCount.objects.filter(run=run).count() == 2
    check_case_counts(run)


def test_a_sweep_counts_some_and_the_next_one_goes_on(author, version, agents, monkeypatch):
    monkeypatch.setattr(case_counting, "MOST_PER_SWEEP", 3)
    runs = [launch(author, version, [agents["echo"], agents["empty"]]) for _ in range(2)]
    left = []
    for _ in range(2):
        keep_changed_counts()
        left.append(CaseChange.objects.count())
    assert left == [1, 0]
    for run in runs:
        check_case_counts(run)


def test_counts_go_with_their_agents_and_their_run(author, version, agents):
    run, other = (launch(author, version, [agents["echo"], agents["empty"]]) for _ in range(2))
    keep_case_counts(run.pk)
    run.trials.filter(case_position=0).update(status="passed")
    run.delete()
    assert set(CaseChange.objects.values_list("run", flat=True)) == {other.pk}
    assert not CaseCount.objects.exists()
    RunAgent.objects.filter(run=other).delete()
    assert not CaseChange.objects.exists()


def test_runs_from_before_are_counted_by_the_next_sweep(author, version, agents):
    run = work_off(launch(author, version, [agents["echo"]]))
    CaseCount.objects.all().delete()
    trial_counting.recount()
    check_case_counts(run)
    keep_changed_counts()
    assert CaseCount.objects.filter(run=run).count() == 1
    check_case_counts(run)
