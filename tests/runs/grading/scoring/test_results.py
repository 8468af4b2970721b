from runs.grading.graders.contract import State
from runs.grading.scoring.results import Measured, Ratio


def test_nothing_measured_is_unavailable_unless_somebody_erred():
    assert Measured(0.0).state is State.AVAILABLE
    assert Measured(False).state is State.AVAILABLE
    assert Measured(None, "gone").state is State.UNAVAILABLE
    assert Measured(None, "unknown collector", is_error=True).state is State.ERROR


def test_a_ratio_without_both_sides_has_no_value():
    assert Ratio("usd", 1.0, 4.0).value == 0.25
    assert Ratio("usd", 0.0, 4.0).value == 0
    assert Ratio("usd", None, 4.0).value is None
    assert Ratio("usd", 1.0, 0.0).value is None
