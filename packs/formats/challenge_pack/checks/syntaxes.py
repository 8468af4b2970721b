"""Whether a pattern or a JSON Schema that a pack states can be used: what is wrong with it, or nothing."""

from typing import Any

import jsonschema_rs
import re2

DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
DRAFT_7 = "http://json-schema.org/draft-07/schema"


def pattern_trouble(pattern: str) -> str:
    """Why RE2 refuses a pattern; empty if it compiles."""
    options = re2.Options()
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else "not a pattern"
        return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    return ""


def schema_trouble(schema: Any) -> str:
    """Why a JSON Schema cannot be used; empty if it can.

    Drafts 2020-12 (also when `$schema` is absent) and 7 are supported; nothing is fetched.
    """
    if not isinstance(schema, dict | bool):
        return "a JSON Schema is a mapping"
    draft = schema.get("$schema", DRAFT_2020_12) if isinstance(schema, dict) else DRAFT_2020_12
    if str(draft).rstrip("#") not in (DRAFT_2020_12, DRAFT_7):
        return f"the draft {draft} is not supported; use 2020-12 or draft-07"
    validator = (
        jsonschema_rs.Draft7Validator if str(draft).rstrip("#") == DRAFT_7 else jsonschema_rs.Draft202012Validator
    )
    try:
        validator(schema, retriever=_refuse)
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        return str(error).partition("\n")[0]
    return ""


def _refuse(uri: str) -> Any:
    raise ValueError(f"{uri} is not part of the schema, and nothing is fetched")
