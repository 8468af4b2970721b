import pytest

from runs.models import Trial, TrialStatus
from runs.replay.trajectories.tracked import Rate
from runs.results.measuring import collect, distribution_of
from tests.runs.failing import failing_run, publish_suite, task

pytestmark = pytest.mark.django_db
METRICS = [{"type": "tool_use", "fields": ["tool_call_count", "tool_error_rate", "time_to_first_token"]}]


@pytest.fixture
def run(team, author):
    tasks = [task(f"parcel_{number}", tracked_metrics=METRICS) for number in (1, 2)]
    return failing_run(team, author, publish_suite(team, author, *tasks), trials=2)


def found(run):
    [values] = collect(run).values()
    return {measure.name: measure for measure in values.measures()}


def test_metrics_of_a_run_are_pooled_with_unit_and_definition(run):
    measures = found(run)
    assert measures["tool_call_count"].summary == {"mean": 2, "p50": 2, "p95": 2}
    assert measures["tool_error_rate"].summary == {"rate": 0.5}
    assert (measures["time_to_first_token"].unit, bool(measures["tool_error_rate"].definition)) == ("s", True)
    assert (measures["success"].summary, measures["success"].known) == ({"rate": 0}, 4)


def test_what_is_not_defined_is_counted_and_left_out(run):
    missing = found(run)["tool_call_count"]
    assert (missing.known, missing.missing) == (4, 0)


def test_a_metric_is_told_by_case_too(run):
    [values] = collect(run).values()
    assert [(case, measure.known) for case, measure in values.cases("tool_call_count")] == [
        ("parcel_1", 2),
        ("parcel_2", 2),
    ]
    assert values.cases("no_such_metric") == []


def test_what_our_machine_broke_is_not_measured(run):
    Trial.objects.filter(pk=run.trials.first().pk).update(status=TrialStatus.ERROR)
    assert found(run)["tool_call_count"].known == 3


def test_metrics_of_other_formats_are_told_as_well(team, author, version):
    measures = found(failing_run(team, author, version))
    assert {"success", "score"} <= set(measures)


def test_numbers_are_spread_over_equal_steps():
    spread = distribution_of([0.25, 0.25, 0.75])
    assert (spread[0][1], spread[-1][1], sum(count for _, count in spread)) == (2, 1, 3)
    assert all(" to " in label for label, _ in spread)


def test_few_whole_numbers_and_one_value_are_counted_one_by_one_and_rates_count_as_their_values():
    assert distribution_of([1.0, 0.0, 1.0]) == [("0", 1), ("1", 2)]
    assert distribution_of([Rate(1, 2), Rate(2, 4), Rate(0, 0)]) == [("0.5", 2)]
    assert distribution_of([True, False, True]) == [("no", 1), ("yes", 2)]
    assert distribution_of([]) == []
