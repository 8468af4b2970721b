from tests.runs.grading.graders.grading import graded, outcome


def test_the_grade_says_which_answer_was_met_and_how():
    grade = graded("short_answer", "about 43 km", accepted_answers=["x", 42], tolerance=1)
    assert (grade.score, grade.raw["matched_answer_index"], grade.raw["match_strategy"]) == (1, 1, "numeric_tolerance")


def test_an_answer_that_meets_none_fails_with_its_own_words_kept():
    grade = graded("short_answer", " York ", accepted_answers=["Leeds"])
    assert (outcome(grade), grade.raw["candidate_answer"], grade.raw["match_strategy"]) == ("fail", "York", None)


def test_settings_with_which_nothing_can_be_verified_are_the_author_s_mistake():
    assert graded("short_answer", "x", accepted_answers=[]).raw["field"] == "accepted_answers"
    assert graded("short_answer", "x", accepted_answers=["x"], tolerance="1").raw["field"] == "tolerance"
