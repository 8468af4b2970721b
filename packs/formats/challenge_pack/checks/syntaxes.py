"""Whether a pattern or a JSON Schema that a pack states can be used: what is wrong with it, or nothing."""

from typing import Any

import jsonschema_rs

from packs.formats.patterns import Pattern, compile_pattern

DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/schema"
DRAFT_7 = "http://json-schema.org/draft-07/schema"


def pattern_trouble(pattern: str) -> dict[str, str]:
    """Why RE2 refuses a pattern and what to do, as `reason` and `advice` for a message; empty if it compiles."""
    found = compile_pattern(pattern)
    if isinstance(found, Pattern):
        return {}
    return {"reason": found.message, "advice": found.hint or "Patterns follow the RE2 dialect."}


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
