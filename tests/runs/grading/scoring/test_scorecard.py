"""A scorecard as the document that pages, the API and exports show."""

import json

from packs.formats.task import Dimension, GraderSpec, Metric, Scoring
from runs.grading.scoring import failed_scorecard
from runs.grading.scoring.results import JudgeResult
from tests.runs.grading.scoring.trials import ERRS, FAILS, MISSES, PASSES, by_grader, card

PAIRS = [("system.run.completed", {"final_output": "y", "total_tokens": 12})]


def full():
    return card(
        by_grader("good", PASSES, gate=True, pass_threshold=0.5),
        Dimension("tone", "llm_judge", judge="tone"),
        Dimension("people", "human_preference", gate=True, pass_threshold=0.5),
        pairs=PAIRS,
        metrics=(
            Metric("tokens", "numeric", "run_total_tokens", "tokens"),
            Metric("done", "boolean", "run_completed_successfully"),
        ),
        judges=(JudgeResult("tone", "rubric", 0.75, "high", 0.01, 3, 1, "kind", {"calls": []}),),
    ).as_dict("agent-1", "spec-1")


def test_it_says_how_the_trial_did():
    document = full()
    assert document["run_agent_id"] == "agent-1"
    assert (document["status"], document["strategy"], document["passed"]) == ("partial", "weighted", False)
    assert (document["verdict"], document["validity"]) == ("undecided", "invalid")
    assert document["validator_summary"] == {
        "total": 4,
        "available": 3,
        "unavailable": 0,
        "error": 1,
        "pass": 1,
        "fail": 2,
    }


def test_it_is_complete_only_with_dimensions_of_which_all_are_available():
    available = by_grader("good", PASSES)
    assert card(available).as_dict()["status"] == "complete"
    assert card(available, by_grader("broken", ERRS)).as_dict()["status"] == "partial"
    assert card().as_dict()["status"] == "partial"


def test_dimensions_tell_their_gates_and_what_they_contribute():
    dimensions = full()["dimensions"]
    assert dimensions["good"] == {
        "state": "available",
        "score": 1.0,
        "better_direction": "higher",
        "weight": 1.0,
        "gate": True,
        "pass_threshold": 0.5,
        "contribution": 0.5,
        "gate_passed": True,
    }
    assert dimensions["tone"]["contribution"] == 0.375
    assert "gate_passed" not in dimensions["people"]
    assert "score" not in dimensions["people"]


def test_metrics_and_judges_are_told_under_the_names_of_the_format():
    document = full()
    assert document["metric_details"] == [
        {
            "key": "tokens",
            "collector": "run_total_tokens",
            "state": "available",
            "numeric_value": 12.0,
            "unit": "tokens",
        },
        {"key": "done", "collector": "run_completed_successfully", "state": "available", "boolean_value": True},
    ]
    assert document["metric_summary"] == {"total": 2, "available": 2, "unavailable": 0, "error": 0}
    assert document["llm_judge_details"][0]["normalized_score"] == 0.75


def test_warnings_of_judges_and_reasons_of_dimensions_are_told():
    doubtful = JudgeResult("tone", "rubric", 0.75, "low", warnings=("the models lie 0.50 apart",))
    told = card(Dimension("tone", "llm_judge", judge="tone"), by_grader("lost", MISSES), judges=(doubtful,)).warnings
    assert "the models lie 0.50 apart" in told
    assert any("'lost'" in warning for warning in told)
    assert not any("'tone'" in warning for warning in told)


def test_every_document_is_json():
    assert json.loads(json.dumps(full()))
    assert json.loads(json.dumps(card(graders=(PASSES, FAILS, ERRS, MISSES)).as_dict()))


def test_a_trial_that_could_not_be_evaluated_is_an_error_without_a_score():
    failed = failed_scorecard(Scoring(), "the sandbox is gone")
    assert (failed.verdict, failed.score, failed.status) == ("error", None, "failed")
    assert failed.as_dict()["overall_reason"] == "the sandbox is gone"


def test_a_pack_without_any_grader_has_nothing_to_say():
    assert card(graders=()).verdict == "undecided"


def test_warnings_name_what_was_missing_once():
    cut = ("grader.verification.file_captured", {"key": "f", "exists": True, "content": "a", "truncated": True})
    warnings = card(Dimension("p", "human_preference"), pairs=[cut]).warnings
    assert len(warnings) == len(set(warnings)) == 5


def test_grades_carry_their_keys_in_the_order_of_the_task():
    specs = tuple(GraderSpec(key, "contains", "literal:x", "literal:x") for key in "cab")
    assert [grade.key for grade in card(graders=specs).grades] == ["c", "a", "b"]
