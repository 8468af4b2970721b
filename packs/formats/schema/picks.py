"""What a text names, as the schema word `x-picks` says it: one sort of names, or patterns with names in them."""

import re
from collections.abc import Mapping
from typing import Any

SLOT = re.compile(r"\{(\w+)\}")


def patterns_of(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """How the values of a field are made of names, each sort of names in braces."""
    picks = schema.get("x-picks", ())
    return (f"{{{picks}}}",) if isinstance(picks, str) else tuple(picks)


def sorts_of(schema: Mapping[str, Any]) -> frozenset[str]:
    """The sorts of names that a field can hold."""
    return frozenset(slot for pattern in patterns_of(schema) for slot in SLOT.findall(pattern))
