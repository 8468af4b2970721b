import pytest

from packs.formats.task import Schedule, Trials
from packs.models import VersionCase
from runs.launch.dependencies import CircularDependencies, Wait, count_trials, named_targets, waits_of, wishes_of
from runs.launch.launching import check_waits
from runs.launch.planning import Plan
from runs.launch.refusals import LaunchRefused


def plan(key, input_set=1, count=1, **stated):
    return Plan(VersionCase(key=key, input_set_id=input_set), Trials(), count, Schedule(**stated))


def test_cases_wait_for_those_of_their_own_input_set():
    plans = [
        plan("b", depends_on=("a", "a"), on_dependency_failure="run"),
        plan("a"),
        plan("b", 2, depends_on=("a",)),
        Plan(None, Trials(), 1),
    ]
    assert waits_of(plans) == [Wait(0, 1, "run")]


def test_cases_that_wait_for_each_other_are_named_and_no_run_begins_with_them():
    plans = [plan("a", depends_on=("b",)), plan("b", depends_on=("a",)), plan("c")]
    with pytest.raises(CircularDependencies) as found:
        waits_of(plans)
    assert set(found.value.keys) == {"a", "b"}
    with pytest.raises(LaunchRefused) as refused:
        check_waits(plans)
    assert refused.value.code == "circular_dependencies"


def test_what_one_input_set_wants_holds_for_the_run_and_what_several_want_for_each():
    one = wishes_of([plan("a", cost_usd=2.5, workers=4, stops_on_error=True)])
    assert (one.cost_usd, one.workers, one.set_limits) == (2.5, 4, {"1": {"stops_on_error": True}})
    two = wishes_of([plan("a", cost_usd=2.5), plan("b", 2, workers=3), plan("c", 3, workers=2)])
    assert (two.cost_usd, two.workers, two.set_limits) == (None, 2, {"1": {"cost_usd": 2.5}})


def test_agents_that_the_pack_names_try_what_is_meant_for_them_and_others_all():
    plans = [plan("a", count=2, targets=("x", "y")), plan("b", targets=("x",)), plan("c")]
    assert named_targets(plans) == ["x", "y"]
    assert [count_trials(plans, [name]) for name in ("x", "y", "z")] == [4, 3, 4]
