"""Whether a pattern, a JSON Schema or an expectation that a pack states can be used: what is wrong, or nothing."""

from collections.abc import Iterator
from typing import Any

from packs.formats.findings import Path
from packs.formats.patterns import PatternTrouble, compile_pattern
from packs.formats.schema import SchemaTrouble, compile_schema


def pattern_trouble(pattern: str, case_sensitive: bool = True) -> dict[str, str]:
    """Why RE2 refuses a pattern and what to do, as `reason` and `advice` for a message; empty if it compiles."""
    found = compile_pattern(pattern, case_sensitive)
    if not isinstance(found, PatternTrouble):
        return {}
    return {"reason": found.message, "advice": found.hint or "Patterns follow the RE2 dialect."}


def schema_trouble(schema: Any) -> str:
    """Why a JSON Schema cannot be used; empty if it can.

    Drafts 2020-12 (also when `$schema` is absent) and 7 are supported; nothing is fetched.
    """
    found = compile_schema(schema)
    return found.message if isinstance(found, SchemaTrouble) else ""


def operations(expected: Any, path: Path = ()) -> Iterator[tuple[Path, str, Any]]:
    """Every operator in an expectation of the match language (task-suite 4.3): its path, its name and its operand."""
    is_operation = isinstance(expected, dict) and bool(expected) and all(name.startswith("$") for name in expected)
    parts = (
        expected.items() if isinstance(expected, dict) else enumerate(expected) if isinstance(expected, list) else ()
    )
    for step, part in parts:
        if is_operation:
            yield (*path, step), str(step), part
        # What the other operators compare with is a value and no expectation.
        if not is_operation or step == "$contains":
            yield from operations(part, (*path, step))
