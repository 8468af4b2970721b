"""Validating JSON texts under a JSON Schema of the pack's author: drafts 2020-12 and 7 (challenge-pack d.3)."""

from functools import lru_cache

from packs.formats.schema import SchemaCheck, SchemaTrouble, compile_schema
from runs.grading.graders.contract import Judgement, decided, evaluator_error, pack_error
from runs.grading.graders.values import parse_json


@lru_cache(maxsize=64)
def _compiled(schema: str) -> SchemaCheck | SchemaTrouble:
    try:
        return compile_schema(parse_json(schema))
    except ValueError as error:
        return SchemaTrouble(f"it is not JSON: {error}")


def validate_text(actual: str, schema: str) -> Judgement:
    """Judge a JSON text under the JSON text of a schema."""
    try:
        document = parse_json(actual)
    except ValueError as error:
        return evaluator_error(f"the value is not JSON: {error}")
    check = _compiled(schema)
    if isinstance(check, SchemaTrouble):
        return pack_error(f"the schema cannot be used: {check.message}")
    violation = check.first_violation(document)
    if violation is None:
        return decided(True)
    path = "".join(f"/{step}" for step in violation.path)
    return decided(False, f"at {path or 'the root'}: {violation.message}", path=path, keyword=violation.keyword)
