import pytest

from tests.runs.grading.graders.grading import graded, graded_case, outcome


@pytest.mark.parametrize(
    ("actual", "expected", "verdict"), [("a hub", "hub", "pass"), ("a", "", "pass"), ("A", "a", "fail")]
)
def test_it_looks_for_the_text_as_it_is(actual, expected, verdict):
    assert outcome(graded("contains", actual, expected)) == verdict


def test_a_missing_expectation_makes_it_unavailable_and_no_fail():
    grade = graded_case("contains", {"content": "x"}, "case.payload", "case.payload.missing")
    assert (outcome(grade), grade.verdict, grade.score, grade.actual) == ("unavailable", None, None, None)


def test_a_broken_reference_is_the_authors_mistake():
    assert outcome(graded_case("contains", {"content": "x"}, "case.payload", "nonsense")) == "pack_error"
    assert outcome(graded_case("contains", {"content": "x"}, "tool_calls", "literal:x")) == "pack_error"
