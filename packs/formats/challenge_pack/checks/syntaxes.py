"""Whether a pattern or a JSON Schema that a pack states can be used: what is wrong with it, or nothing."""

from typing import Any

from packs.formats.patterns import PatternTrouble, compile_pattern
from packs.formats.schema import SchemaTrouble, compile_schema


def pattern_trouble(pattern: str) -> dict[str, str]:
    """Why RE2 refuses a pattern and what to do, as `reason` and `advice` for a message; empty if it compiles."""
    found = compile_pattern(pattern)
    if not isinstance(found, PatternTrouble):
        return {}
    return {"reason": found.message, "advice": found.hint or "Patterns follow the RE2 dialect."}


def schema_trouble(schema: Any) -> str:
    """Why a JSON Schema cannot be used; empty if it can.

    Drafts 2020-12 (also when `$schema` is absent) and 7 are supported; nothing is fetched.
    """
    found = compile_schema(schema)
    return found.message if isinstance(found, SchemaTrouble) else ""
