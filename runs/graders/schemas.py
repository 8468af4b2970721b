"""Validating JSON texts under a JSON Schema of the pack's author: drafts 2020-12 and 7 (challenge-pack d.3)."""

from functools import lru_cache

from packs.formats.findings import to_pointer
from packs.formats.schema import SchemaCheck, SchemaTrouble, compile_schema
from runs.graders.contract import Judgement, decided, evaluator_error, pack_error
from runs.graders.values import parse_json

MAX_SCHEMA_LENGTH = 1_000_000


@lru_cache(maxsize=64)
def _check(schema: str) -> SchemaCheck | SchemaTrouble:
    """The check that the text of a schema asks for, or why there is none."""
    if len(schema) > MAX_SCHEMA_LENGTH:
        return SchemaTrouble(f"the schema is longer than {MAX_SCHEMA_LENGTH} characters")
    try:
        return compile_schema(parse_json(schema))
    except ValueError as error:
        return SchemaTrouble(f"the schema is not JSON: {error}")


def validate_text(actual: str, schema: str) -> Judgement:
    """Judge a JSON text under the JSON text of a schema."""
    try:
        document = parse_json(actual)
    except ValueError as error:
        return evaluator_error(f"the value is not JSON: {error}")
    check = _check(schema)
    if isinstance(check, SchemaTrouble):
        return pack_error(check.message)
    violation = next(check.violations(document), None)
    if violation is None:
        return decided(True)
    path = to_pointer(violation.path)
    return decided(False, f"at {path or 'the root'}: {violation.message[:500]}", path=path)
