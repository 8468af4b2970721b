"""Every check and dimension counts, or is named."""

from runs.grading.graders.contract import Verdict
from runs.proof.probes import Work
from runs.proof.turning import stuck_dimensions, turned, unused_graders
from tests.runs.proof.makers import TIDY, compiled, pair, prover_of

WEIGHTED = {
    "strategy": "weighted",
    "pass_threshold": 0.5,
    "dimensions": [
        {"key": "right", "source": "validators", "validators": ["first"], "weight": 0.9},
        {"key": "style", "source": "validators", "validators": ["second"], "weight": 0.1},
    ],
}


def outcomes(files, *answers):
    pack, tasks = compiled(files)
    prover = prover_of(pack)
    return tasks[0], [prover.grade(tasks[0], Work(answer)) for answer in answers]


def test_a_check_that_changes_no_verdict_is_unused():
    found = outcomes(pair(TIDY, ("regex_match", "literal:hub"), scorecard=WEIGHTED), "Leeds hub", "York")
    assert list(unused_graders(*found)) == ["second"]


def test_checks_that_all_must_pass_are_all_used():
    assert list(unused_graders(*outcomes(pair(TIDY, ("regex_match", "literal:hub")), "Leeds hub", "York"))) == []


def test_a_grade_is_turned_with_its_score():
    _, [passed] = outcomes(pair(TIDY, ("regex_match", "literal:hub")), "Leeds hub")
    other = turned(passed.grades[0])
    assert (passed.grades[0].verdict, other.verdict, other.score) == (Verdict.PASS, Verdict.FAIL, 0.0)
    assert turned(other).score == 1.0


def test_a_dimension_with_one_score_for_right_and_wrong_is_stuck():
    always = pair(TIDY, ("regex_match", "literal:(?s).*"), scorecard=WEIGHTED)
    assert list(stuck_dimensions(*outcomes(always, "Leeds hub", "York"))) == ["style"]
    assert list(stuck_dimensions(*outcomes(always, "Leeds hub"))) == []
