from runs.grading.graders.contract import Grade, Outcome, State, Verdict
from runs.grading.judges.judgements import judgements_of
from runs.grading.scoring.document import grade_document, judge_document
from runs.grading.scoring.overruling import (
    as_said,
    overrule_grade,
    overrule_judge,
    overruling_in,
    own_result,
    read_overruling,
)
from runs.grading.scoring.results import JudgeResult

FAILED = Grade("hub", "contains", State.AVAILABLE, Outcome.FAIL, Verdict.FAIL, 0.0, "No hub.", raw={"flags": [1]})
JUDGE = JudgeResult("tone", "rubric", 0.25, reason="Too cold.", payload={"calls": []})
SAID = read_overruling({"verdict": "pass", "reason": "It names it.", "by": "ada", "at": "2026-01-01"})


def test_what_a_person_says_counts_and_what_was_said_before_is_kept():
    grade = overrule_grade(FAILED, SAID)
    assert (grade.verdict, grade.outcome, grade.score, grade.reason) == ("pass", "pass", 1.0, "It names it.")
    note = grade.raw["overruled"]
    assert (note["by"], note["before"]["verdict"], note["before"]["reason"]) == ("ada", "fail", "No hub.")
    assert "flags" not in grade.raw
    assert overrule_grade(FAILED, None) is FAILED


def test_a_judge_says_again_what_it_said_itself_once_nobody_overrules_it():
    judge = overrule_judge(JUDGE, read_overruling({"verdict": "pass", "score": 0.8, "reason": "Warm.", "by": "ada"}))
    assert (judge.score, judge.reason) == (0.8, "Warm.")
    again = overrule_judge(judge, SAID)
    assert (again.score, again.payload["overruled"]["before"]["score"]) == (1.0, 0.25)
    assert own_result(again) == overrule_judge(again, None) == JUDGE


def test_an_overruling_that_says_nothing_takes_it_back():
    assert read_overruling({"verdict": None, "reason": "I was wrong."}) is None


def test_a_scorecard_says_who_overruled_what():
    card = {
        "validator_details": [grade_document(overrule_grade(FAILED, SAID))],
        "llm_judge_details": [judge_document(JUDGE)],
    }
    found = overruling_in(card)
    assert (found["hub"]["by"], found["tone"]) == ("ada", None)


def test_a_judge_is_measured_by_what_it_said_itself():
    card = {
        "validator_details": [grade_document(overrule_grade(FAILED, SAID))],
        "llm_judge_details": [judge_document(overrule_judge(JUDGE, SAID))],
    }
    own = as_said(card)
    assert (own["validator_details"][0]["verdict"], own["llm_judge_details"][0]["normalized_score"]) == ("fail", 0.25)
    assert [(said.passes, said.score) for said in judgements_of(card)] == [(False, 0.25)]
