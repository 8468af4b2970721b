import pytest

from tests.runs.grading.graders.grading import graded, outcome


def test_the_default_folds_case_and_blanks():
    assert outcome(graded("normalized_match", "  Hello   WORLD ", "hello world")) == "pass"
    assert outcome(graded("normalized_match", "Hello, world", "hello world")) == "fail"


def test_steps_run_in_the_order_given():
    steps = ["remove_articles", "lowercase", "trim"]
    assert outcome(graded("normalized_match", "The cat", "cat", pipeline=steps)) == "fail"
    assert outcome(graded("normalized_match", "The cat", "cat", normalizations=["lowercase", *steps])) == "pass"


@pytest.mark.parametrize("config", [{"pipeline": ["trim"], "normalizations": ["trim"]}, {"pipeline": ["shout"]}])
def test_an_unusable_pipeline_is_the_authors_mistake(config):
    assert outcome(graded("normalized_match", "a", "a", **config)) == "pack_error"
