import json

import pytest

from tests.runs.grading.graders.grading import graded, outcome

DRAFT_07 = "http://json-schema.org/draft-07/schema#"


def schema(**members):
    return json.dumps(members)


@pytest.mark.parametrize(
    "draft", [{}, {"$schema": DRAFT_07}, {"$schema": "https://json-schema.org/draft/2020-12/schema"}]
)
def test_the_two_drafts_judge(draft):
    wanted = schema(type="object", required=["n"], **draft)
    assert outcome(graded("json_schema", '{"n": 1}', wanted)) == "pass"
    assert outcome(graded("json_schema", "{}", wanted)) == "fail"


def test_a_whole_number_with_a_fraction_of_zero_is_an_integer():
    assert outcome(graded("json_schema", "3.0", schema(type="integer"))) == "pass"


@pytest.mark.parametrize("actual", ["id: 3", '```json\n{"id":3}\n```', "", "NaN", "{} {}", "[" * 5_000 + "]" * 5_000])
def test_a_value_that_is_not_json_is_no_fail(actual):
    assert outcome(graded("json_schema", actual, schema(type="object"))) == "evaluator_error"


@pytest.mark.parametrize(
    "wanted",
    [
        "{",
        "3",
        schema(type=3),
        schema(**{"$schema": "http://json-schema.org/draft-04/schema#"}),
        schema(**{"$ref": "https://example.com/other.json"}),
    ],
)
def test_a_schema_that_cannot_be_used_is_the_authors_mistake(wanted):
    assert outcome(graded("json_schema", "{}", wanted)) == "pack_error"


def test_the_reason_says_where():
    grade = graded("json_schema", '{"a": [1, "x"]}', schema(properties={"a": {"items": {"type": "integer"}}}))
    assert grade.raw["path"] == "/a/1"
