from pathlib import Path

import pytest

from packs.formats.task import Dimension
from runs.grading.scoring.strategies import STRATEGIES, contributions
from tests.runs.grading.scoring.trials import ERRS, FAILS, PASSES, by_grader, card

ROOT = Path(__file__).resolve().parents[4]
PEOPLE = Dimension("people", "human_preference")
GATE = {"gate": True, "pass_threshold": 0.5}

GOOD, BAD = by_grader("good", PASSES), by_grader("bad", FAILS)
GOOD_GATE, BAD_GATE = by_grader("good", PASSES, **GATE), by_grader("bad", FAILS, **GATE)
PEOPLE_GATE = Dimension("people", "human_preference", **GATE)
BROKEN_GATE = by_grader("broken", ERRS, **GATE)


@pytest.mark.parametrize(
    ("strategy", "dimensions", "threshold", "score", "passed", "verdict"),
    [
        ("weighted", (GOOD, BAD), None, 0.5, True, "pass"),
        ("weighted", (GOOD, BAD), 0.5, 0.5, True, "pass"),
        ("weighted", (GOOD, BAD), 0.51, 0.5, False, "fail"),
        ("weighted", (GOOD, BAD_GATE), None, 0.5, False, "fail"),
        ("weighted", (GOOD, PEOPLE), None, 1, True, "pass"),
        ("weighted", (PEOPLE,), None, None, None, "undecided"),
        ("weighted", (GOOD, PEOPLE_GATE), None, 1, False, "undecided"),
        ("weighted", (GOOD, BROKEN_GATE), None, 1, False, "error"),
        ("weighted", (BAD_GATE, PEOPLE_GATE), None, 0, False, "fail"),
        ("weighted", (PEOPLE_GATE,), None, None, False, "undecided"),
        ("weighted", (by_grader("broken", ERRS),), None, None, None, "error"),
        ("weighted", (), None, None, None, "undecided"),
        ("binary", (GOOD_GATE,), None, 1, True, "pass"),
        ("binary", (by_grader("good", PASSES, pass_threshold=1.0),), None, 1, True, "pass"),
        ("binary", (GOOD_GATE, by_grader("bad", FAILS, pass_threshold=0.1)), None, 0, False, "fail"),
        ("binary", (GOOD, Dimension("people", "human_preference", pass_threshold=0.0)), None, 0, False, "undecided"),
        ("binary", (), None, 0, False, "fail"),
        ("hybrid", (GOOD_GATE, BAD), None, 0, True, "pass"),
        ("hybrid", (GOOD_GATE, BAD), 0.5, 0, False, "fail"),
        ("hybrid", (BAD_GATE, GOOD), None, 0, False, "fail"),
        ("hybrid", (PEOPLE_GATE, GOOD), None, 0, False, "undecided"),
        ("hybrid", (GOOD_GATE, PEOPLE), 0.9, 1, True, "pass"),
        ("hybrid", (PEOPLE,), None, None, None, "undecided"),
        ("lottery", (GOOD,), None, None, None, "error"),
    ],
)
def test_score_pass_and_verdict_of_a_strategy(strategy, dimensions, threshold, score, passed, verdict):
    found = card(*dimensions, strategy=strategy, pass_threshold=threshold)
    assert (found.score, found.passed, found.verdict) == (score, passed, verdict)


def test_weights_count_and_all_zero_is_a_plain_mean():
    heavy = by_grader("good", PASSES, weight=3.0)
    assert card(heavy, BAD).score == 0.75
    assert card(by_grader("good", PASSES, weight=0.0), by_grader("bad", FAILS, weight=0.0)).score == 0.5


def test_contributions_are_shares_of_the_mean_and_none_for_hybrid_gates():
    heavy = by_grader("good", PASSES, weight=3.0)
    found = card(heavy, BAD, PEOPLE)
    assert contributions(found.scoring, found.dimensions) == {"good": 0.75, "bad": 0.0}
    mixed = card(BAD_GATE, by_grader("good", PASSES), strategy="hybrid")
    assert contributions(mixed.scoring, mixed.dimensions) == {"bad": 0.0, "good": 1.0}
    flat = card(by_grader("good", PASSES, weight=0.0), by_grader("bad", FAILS, weight=0.0))
    assert contributions(flat.scoring, flat.dimensions)["good"] == 0.5


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_is_documented(strategy):
    assert f"| `{strategy}` |" in (ROOT / "docs" / "scoring.md").read_text()
