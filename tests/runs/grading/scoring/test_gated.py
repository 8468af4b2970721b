import pytest

from packs.formats.task import Dimension, Scoring
from runs.grading.graders.contract import State
from runs.grading.scoring.gated import gated_mean
from runs.grading.scoring.results import DimensionResult


def result(score, weight=1.0, gate=None, state=State.AVAILABLE):
    dimension = Dimension(f"d{score}", "grader", weight=weight, gate=gate is not None, pass_threshold=gate)
    return DimensionResult(dimension, state, score)


def overall(*results, threshold=0.8):
    found = gated_mean(Scoring(pass_threshold=threshold), results)
    return found.score, found.passed


def test_the_score_is_the_mean_by_weight_and_passes_from_the_threshold_on():
    assert overall(result(1.0, 3), result(0.0)) == (0.75, False)
    assert overall(result(1.0, 4), result(0.0)) == (0.8, True)


def test_nothing_is_rounded_before_it_is_compared():
    assert overall(result(0.9, 2), result(0.6))[1] is False


def test_weights_of_zero_only_give_zero():
    assert overall(result(1.0, 0)) == (0.0, False)


def test_a_required_grader_below_its_gate_makes_all_of_it_zero():
    assert overall(result(1.0, 9), result(0.5, gate=0.6)) == (0.0, False)
    assert overall(result(1.0, 9), result(0.6, gate=0.6)) == (0.96, True)


@pytest.mark.parametrize(("state", "told"), [(State.ERROR, State.ERROR), (State.UNAVAILABLE, State.UNAVAILABLE)])
def test_what_could_not_be_judged_is_never_a_fail(state, told):
    found = gated_mean(Scoring(pass_threshold=0.8), [result(1.0), result(None, state=state)])
    assert (found.score, found.passed, found.undecided_by) == (None, None, told)


def test_a_failed_gate_decides_even_where_another_grader_could_not_judge():
    assert overall(result(0.0, gate=0.5), result(None, state=State.UNAVAILABLE)) == (0.0, False)
