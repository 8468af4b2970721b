import pytest

from packs.formats.task import Dimension, Signal
from tests.runs.grading.scoring.trials import FAILS, MISSES, PASSES, card, metric

BEHAVIOUR = Dimension("behavioral", "behavioral")


def ok(name, **arguments):
    return "tool.call.completed", {"tool_name": name, "arguments": arguments}


def failed(name, **arguments):
    return "tool.call.failed", {"tool_name": name, "arguments": arguments}


@pytest.mark.parametrize(
    ("calls", "score"),
    [
        ([], 1),
        ([ok("a")], 1),
        ([failed("a")], 0),
        ([failed("a", x=1, y=2), ok("a", y=2, x=1)], 0),
        ([failed("a", x=1), ok("a", x=2)], 1),
        ([failed("a"), failed("a"), ok("b"), failed("c")], 0.5),
    ],
)
def test_recovery_is_trying_something_else_after_a_failure(calls, score):
    assert metric("behavioral_recovery_score", *calls).value == score


MISMATCH = ("turn.completed", {"turn_index": 1, "mismatch": True})


@pytest.mark.parametrize(
    ("turn", "graders", "score"),
    [
        (("turn.completed", {"turn_index": 1, "mismatch": False}), (FAILS,), 1),
        (MISMATCH, (PASSES,), 1),
        (MISMATCH, (PASSES, FAILS), 0),
        (MISMATCH, (MISSES,), None),
        (MISMATCH, (), None),
    ],
)
def test_a_conversation_recovers_when_every_grader_is_content_in_the_end(turn, graders, score):
    assert metric("behavioral_recovery_score", failed("a"), turn, graders=graders).value == score


def behaviour(*signals, pairs=()):
    return card(BEHAVIOUR, pairs=pairs, signals=signals).dimensions[0]


def test_signals_are_weighted():
    signals = (Signal("recovery_behavior", 2), Signal("exploration_efficiency", 1), Signal("error_cascade", 1))
    assert behaviour(*signals, pairs=[ok("a"), ok("a")]).score == pytest.approx(0.875)


def test_a_gated_signal_below_its_threshold_makes_it_zero():
    gated = Signal("exploration_efficiency", 1, gate=True, pass_threshold=0.5)
    assert behaviour(gated, Signal("error_cascade", 3), pairs=[ok("a"), ok("a")]).score == pytest.approx(0.875)
    assert behaviour(gated, Signal("error_cascade", 3), pairs=[ok("a"), ok("a"), ok("a")]).score == 0


def test_without_signals_there_is_no_score():
    assert behaviour().state == "unavailable"
    assert behaviour(Signal("confidence_calibration", 1)).state == "error"
