from dataclasses import replace

import pytest

from packs.formats.task import Dimension, Scoring
from runs.grading.graders.contract import State
from runs.grading.scoring.combining import Part, combine, overall
from runs.grading.scoring.results import DimensionResult


def result(key, state=State.AVAILABLE, score=None, passed=None, *, gate=True, weight=1.0):
    return DimensionResult(Dimension(key, "grader", (key,), gate=gate, weight=weight), state, score, "why", passed)


def test_a_grader_that_was_skipped_counts_only_where_it_is_critical():
    passed = Part(passed=True, score=1.0)
    assert combine("binary", [passed, Part("skipped", critical=False)]).state == "passed"
    assert combine("binary", [passed, Part("skipped")]).state == "error"


def test_missing_evidence_of_a_critical_grader_is_an_error_and_never_a_fail():
    found = overall("binary", Scoring(), [result("a", score=0.0, passed=False), result("b", State.UNAVAILABLE)])
    assert (found.passed, found.undecided_by) == (None, State.ERROR)


def test_a_critical_grader_that_waits_for_people_leaves_the_verdict_open_unless_another_broke():
    waits = replace(result("people", State.UNAVAILABLE), is_pending=True)
    found = overall("binary", Scoring(), [result("a", score=0.0, passed=False), waits])
    assert (found.passed, found.undecided_by) == (None, State.UNAVAILABLE)
    assert found.reason == "waits for people: why"
    broken = overall("binary", Scoring(), [waits, result("b", State.ERROR)])
    assert (broken.undecided_by, "'b'" in broken.reason) == (State.ERROR, True)


def test_the_verdict_of_a_grader_counts_and_not_its_score():
    found = overall("binary", Scoring(), [result("a", score=0.9, passed=False)])
    assert (found.passed, found.score) == (False, 0.9)
    assert "'a'" in found.reason


@pytest.mark.parametrize(("threshold", "passes"), [(0.75, True), (0.76, False)])
def test_a_weighted_mean_reaches_its_threshold_or_not(threshold, passes):
    results = [result("a", score=1.0, passed=True, weight=3), result("b", score=0.0, passed=False)]
    assert overall("weighted", Scoring(pass_threshold=threshold), results).passed is passes


def test_the_hybrid_mode_asks_for_the_mean_of_the_others_only():
    results = [result("a", score=0.5, passed=True), result("b", score=0.8, passed=True, gate=False)]
    assert overall("hybrid", Scoring(pass_threshold=0.8), results).passed is True
    assert overall("hybrid", Scoring(pass_threshold=0.9), results).passed is False
