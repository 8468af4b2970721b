"""Validating JSON texts under a JSON Schema of the pack's author: drafts 2020-12 and 7 (challenge-pack d.3)."""

from functools import lru_cache
from typing import Any

import jsonschema_rs

from runs.graders.contract import Judgement, decided, evaluator_error, pack_error
from runs.graders.values import parse_json

DRAFTS = {
    "https://json-schema.org/draft/2020-12/schema": jsonschema_rs.Draft202012Validator,
    "http://json-schema.org/draft-07/schema": jsonschema_rs.Draft7Validator,
    "https://json-schema.org/draft-07/schema": jsonschema_rs.Draft7Validator,
}
MAX_SCHEMA_LENGTH = 1_000_000


class BadSchema(ValueError):
    """A schema that cannot be used."""


def _refuse_remote(uri: str) -> Any:
    raise BadSchema(f"the schema refers to {uri}, and remote references are not followed")


@lru_cache(maxsize=64)
def _validator(schema: str) -> Any:
    """A validator for the text of a schema. Raises BadSchema."""
    if len(schema) > MAX_SCHEMA_LENGTH:
        raise BadSchema(f"the schema is longer than {MAX_SCHEMA_LENGTH} characters")
    try:
        document = parse_json(schema)
    except ValueError as error:
        raise BadSchema(f"the schema is not JSON: {error}") from error
    draft = document.get("$schema") if isinstance(document, dict) else None
    if draft is not None and (not isinstance(draft, str) or draft.removesuffix("#") not in DRAFTS):
        raise BadSchema(f"the schema is of draft {draft!r}; only 2020-12 and 7 are known")
    kind = jsonschema_rs.Draft202012Validator if draft is None else DRAFTS[str(draft).removesuffix("#")]
    try:
        return kind(document, retriever=_refuse_remote)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        raise BadSchema(f"the schema cannot be used: {getattr(error, 'message', error)}") from error


def validate_text(actual: str, schema: str) -> Judgement:
    """Judge a JSON text under the JSON text of a schema."""
    try:
        document = parse_json(actual)
    except ValueError as error:
        return evaluator_error(f"the value is not JSON: {error}")
    try:
        validator = _validator(schema)
    except BadSchema as error:
        return pack_error(str(error))
    violation = next(validator.iter_errors(document), None)
    if violation is None:
        return decided(True)
    path = "".join(f"/{step}" for step in violation.instance_path)
    return decided(False, f"at {path or 'the root'}: {violation.message[:500]}", path=path)
