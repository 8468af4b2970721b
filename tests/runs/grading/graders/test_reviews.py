from runs.grading.graders.reviews import Aspect, Rubric

TWO = Rubric((Aspect("tone", "Tone"), Aspect("facts", "Facts")), passes_from=3.0)


def test_a_trial_passes_where_the_mean_of_its_scores_reaches_the_threshold():
    assert TWO.verdict({"tone": 4, "facts": 2}) == (True, 0.75)
    assert TWO.verdict({"tone": 3, "facts": 2}) == (False, 0.625)


def test_scores_of_aspects_that_are_gone_say_nothing():
    assert TWO.verdict({"style": 4}) is None
