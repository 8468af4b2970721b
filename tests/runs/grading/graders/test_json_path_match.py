import json

import pytest

from tests.runs.grading.graders.grading import graded, outcome


def expectation(path, comparator=None, **value):
    return json.dumps({"path": path, **({"comparator": comparator} if comparator else {}), **value})


DOCUMENT = json.dumps({"a": {"b": [1, 2]}, "n": 3.0, "null": None, "s": "late parcel", "t": True, "q q": {"x.y": 1}})


@pytest.mark.parametrize(
    ("expected", "verdict"),
    [
        ("$.a.b[1]", "pass"),
        ("$.null", "pass"),
        ("$.z", "fail"),
        ("$", "pass"),
        ('$["q q"]["x.y"]', "pass"),
        ("$['q q']['x.y']", "pass"),
        ("$[n]", "pass"),
        ("$.a.b[-1]", "fail"),
        ("$.a[0]", "fail"),
        ("$.a[*]", "fail"),
        (expectation("$.n", value=3), "pass"),
        (expectation("$.t", value=1), "fail"),
        (expectation("$.null", "equals", value=None), "pass"),
        (expectation("$.s", "contains", value="parcel"), "pass"),
        (expectation("$.a.b", "contains", value=2), "pass"),
        (expectation("$.a.b", "contains", value=9), "fail"),
        (expectation("$.a", "contains", value="b"), "pass"),
        (expectation("$.n", "greater_than", value=2.5), "pass"),
        (expectation("$.n", "less_than", value=3), "fail"),
        (expectation(" $.a.b "), "pass"),
    ],
)
def test_it_judges_the_value_at_a_path(expected, verdict):
    assert outcome(graded("json_path_match", DOCUMENT, expected)) == verdict


@pytest.mark.parametrize(
    "expected",
    [
        "",
        "a.b",
        "$..a",
        "$.a.",
        "$[",
        "$[]",
        "$['a",
        "[1]",
        expectation("$.n", "between", value=1),
        expectation("", value=1),
        expectation("$.s", "greater_than", value=1),
        expectation("$.n", "less_than", value="4"),
        expectation("$.s", "contains", value=1),
        json.dumps({"value": 1}),
    ],
)
def test_an_expectation_that_cannot_be_read_is_the_authors_mistake(expected):
    assert outcome(graded("json_path_match", DOCUMENT, expected)) == "pack_error"


def test_a_target_that_is_not_json_is_no_fail():
    assert outcome(graded("json_path_match", "nope", "$.a")) == "evaluator_error"
