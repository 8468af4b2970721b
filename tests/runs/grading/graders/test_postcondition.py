import pytest

from tests.runs.grading.graders.grading import file_captured, graded_on, outcome


def holds(content, **config):
    return outcome(graded_on("postcondition", [file_captured(content)], config=config))


@pytest.mark.parametrize(
    ("content", "config", "verdict"),
    [
        ("abc", {"condition": "exists"}, "pass"),
        (None, {"condition": "exists"}, "fail"),
        (None, {"condition": "not_exists"}, "pass"),
        ("abc", {"condition": "contains", "value": "b"}, "pass"),
        (None, {"condition": "contains", "value": "b"}, "unavailable"),
        ("abc", {"condition": "not_contains", "value": "b"}, "fail"),
        ("abc", {"condition": "regex_match", "value": "^a.c$"}, "pass"),
        ("abc", {"condition": "equals", "value": "abc"}, "pass"),
        ('{"n": [1, 2]}', {"condition": "equals", "value": {"n": [1.0, 2]}}, "pass"),
        ('{"n": [1, 2.0]}', {"condition": "equals", "value": {"n": [1, 2]}}, "fail"),
        ("2.0", {"condition": "equals", "value": 2}, "pass"),
        ("null", {"condition": "equals", "value": None}, "pass"),
        ("abc", {"condition": "equals", "value": 1}, "evaluator_error"),
        ('{"a": 1}', {"condition": "json_path_match", "json_path": "$.a", "value": 1}, "pass"),
        ('{"a": null}', {"condition": "json_path_match", "json_path": "$.a", "value": None}, "pass"),
        ('{"a": 1}', {"condition": "json_path_match", "json_path": "$.b", "value": 1}, "fail"),
        ("no", {"condition": "json_path_match", "json_path": "$.b", "value": 1}, "evaluator_error"),
    ],
)
def test_each_condition_is_judged(content, config, verdict):
    assert holds(content, **config) == verdict


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"condition": "shines"},
        {"condition": "exists", "value": "x"},
        {"condition": "not_exists", "json_path": "$"},
        {"condition": "contains"},
        {"condition": "contains", "value": 1},
        {"condition": "regex_match", "value": "("},
        {"condition": "equals"},
        {"condition": "json_path_match", "value": 1},
        {"condition": "json_path_match", "json_path": "$.a"},
        {"condition": "json_path_match", "json_path": "a", "value": 1},
        {"condition": "exists", "mode": "x"},
    ],
)
def test_an_unusable_condition_is_the_authors_mistake(config):
    assert holds("{}", **config) == "pack_error"


def test_nothing_is_said_of_a_file_that_was_never_captured():
    for condition in ("exists", "not_exists"):
        assert outcome(graded_on("postcondition", [], config={"condition": condition})) == "unavailable"


def test_it_judges_other_values_as_well():
    finalized = ("system.output.finalized", {"final_output": "done"})
    config = {"condition": "contains", "value": "done"}
    assert outcome(graded_on("postcondition", [finalized], "final_output", config=config)) == "pass"
