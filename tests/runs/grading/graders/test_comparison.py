from runs.grading.graders.comparison import by_threshold
from runs.grading.graders.contract import Outcome
from tests.runs.grading.graders.grading import graded, graded_case, graded_on


def test_a_score_at_the_threshold_passes_and_is_kept_when_it_fails():
    assert by_threshold(0.5, 0.5).outcome is Outcome.PASS
    assert (by_threshold(0.4, 0.5).outcome, by_threshold(0.4, 0.5).score) == (Outcome.FAIL, 0.4)


def test_a_configuration_that_cannot_be_used_is_a_pack_error():
    grade = graded("fuzzy_match", "a", "a", threshold="x")
    assert (grade.outcome, grade.reason) == (
        Outcome.PACK_ERROR,
        "The config does not fit a fuzzy_match: `threshold` must be a number.",
    )


def test_the_source_of_a_file_is_that_of_its_capture():
    captured = ("grader.verification.file_captured", {"key": "f", "exists": False, "path": "/w/f"})
    grade = graded_on("contains", [captured], "file:f", "literal:x")
    assert grade.source.as_dict() == {
        "kind": "tool_call",
        "sequence": 1,
        "event_type": "grader.verification.file_captured",
        "field_path": "file:f",
    }


def test_a_value_of_the_case_has_no_source():
    assert graded_case("contains", {"content": "x"}, "case.payload").source is None
