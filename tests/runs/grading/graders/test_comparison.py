from runs.grading.graders.comparison import by_threshold, guarded
from runs.grading.graders.contract import Outcome
from runs.grading.graders.settings import Settings
from tests.runs.grading.graders.grading import graded_case, graded_on


def test_a_score_at_the_threshold_passes_and_is_kept_when_it_fails():
    assert by_threshold(0.5, 0.5).outcome is Outcome.PASS
    assert (by_threshold(0.4, 0.5).outcome, by_threshold(0.4, 0.5).score) == (Outcome.FAIL, 0.4)


def test_a_configuration_that_cannot_be_used_is_a_pack_error():
    assert guarded(lambda: by_threshold(1, Settings({"t": "x"}).number("t"))).outcome is Outcome.PACK_ERROR


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
