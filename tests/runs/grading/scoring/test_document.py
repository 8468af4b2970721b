import json

from runs.grading.scoring.document import MAX_SHOWN, grade_document, judge_document, read_judge
from runs.grading.scoring.results import JudgeResult
from tests.runs.grading.graders.grading import graded, graded_on


def test_grades_tell_what_they_rest_on():
    regex = grade_document(graded("regex_match", "PX-1", "PX"))
    assert regex["evidence"] == {
        "kind": "regex_match",
        "actual": "PX-1",
        "expected": "PX",
        "pattern": "PX",
        "matched": True,
        "source_field": "final_output",
    }
    assert regex["source"]["kind"] == "final_output"
    tools = graded_on("tool_call_assertion", [], "tool_calls", config={"tool_name": "x"})
    assert grade_document(tools)["evidence"]["kind"] == "tool_calls"


def test_a_grade_without_evidence_shows_none():
    document = grade_document(graded_on("contains", [], "final_output", "literal:x"))
    assert document["outcome_class"] == "unavailable"
    assert not {"verdict", "normalized_score", "evidence", "source"} & document.keys()


def test_long_texts_are_shown_cut_and_marked():
    evidence = grade_document(graded("contains", "a" * (MAX_SHOWN + 1), "a"))["evidence"]
    assert (len(evidence["actual"]), evidence["truncated"]) == (MAX_SHOWN, True)
    large = json.dumps({"a": ["x" * 100] * 1000})
    value = grade_document(graded("json_path_match", large, "$.a"))["evidence"]["value"]
    assert len(value) == MAX_SHOWN


def test_a_judge_is_read_back_as_it_was_told():
    judge = JudgeResult("tone", "rubric", 0.5, "low", 0.25, 3, 2, "because", {"spread": 0.5})
    assert read_judge(judge_document(judge)) == judge
    nobody = JudgeResult("tone", "rubric", reason="not asked")
    assert read_judge(judge_document(nobody)) == nobody
