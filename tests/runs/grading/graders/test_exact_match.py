from tests.runs.grading.graders.grading import graded, outcome


def test_it_passes_only_the_same_bytes():
    assert outcome(graded("exact_match", "Leeds hub", "Leeds hub")) == "pass"
    assert outcome(graded("exact_match", "Leeds hub\n", "Leeds hub")) == "fail"


def test_it_tells_what_it_compared():
    grade = graded("exact_match", "a", "b")
    assert (grade.actual, grade.expected, grade.score) == ("a", "b", 0)
