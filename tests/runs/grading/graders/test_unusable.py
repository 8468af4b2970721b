from runs.grading.graders.contract import Outcome
from runs.grading.graders.unusable import no_candidate, unusable


def test_it_is_told_apart_whether_the_author_or_the_agent_left_nothing_to_verify():
    assert unusable("choices", "must be fewer").outcome is Outcome.PACK_ERROR
    assert no_candidate("nothing was left").outcome is Outcome.EVALUATOR_ERROR
    assert unusable("choices", "x").raw["error_type"] == no_candidate("x").raw["error_type"] == "ConfigError"
