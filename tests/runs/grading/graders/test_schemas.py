from packs.formats.schema.compiling import MAX_SCHEMA_BYTES
from runs.grading.graders.contract import Outcome
from runs.grading.graders.schemas import validate_text


def test_a_schema_may_be_true_or_false():
    assert validate_text("{}", "true").outcome is Outcome.PASS
    assert validate_text("{}", "false").outcome is Outcome.FAIL


def test_an_overlong_schema_is_refused():
    schema = '{"description": "' + "x" * MAX_SCHEMA_BYTES + '"}'
    assert validate_text("{}", schema).outcome is Outcome.PACK_ERROR


def test_a_reference_inside_the_schema_is_followed():
    schema = '{"$defs": {"n": {"type": "integer"}}, "$ref": "#/$defs/n"}'
    assert validate_text("3", schema).outcome is Outcome.PASS
    assert validate_text('"3"', schema).outcome is Outcome.FAIL


def test_a_large_value_that_breaks_the_schema_everywhere_is_judged_by_its_first_violation():
    judgement = validate_text("[" + "1," * 1_000_000 + "1]", '{"items": {"type": "string"}}')
    assert (judgement.outcome, judgement.raw["path"]) == (Outcome.FAIL, "/0")
