from tests.runs.grading.graders.grading import graded, outcome


def test_tokens_count_as_often_as_they_occur():
    assert round(graded("token_f1", "a a a b", "a b b").score, 6) == 0.571429


def test_empty_texts_agree_only_with_each_other():
    assert graded("token_f1", "", " ").score == 1
    assert outcome(graded("token_f1", "", "a")) == "fail"


def test_articles_and_punctuation_can_be_put_aside():
    grade = graded(
        "token_f1", "The Quick, fox", "quick fox", normalize=True, remove_articles=True, remove_punctuation=True
    )
    assert grade.score == 1
