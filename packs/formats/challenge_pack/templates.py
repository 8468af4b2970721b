"""Templates: `{{ name }}` and `{{ name.path }}` (challenge-pack c.7)."""

import re
from collections.abc import Mapping
from typing import Any

import orjson

from packs.formats.challenge_pack.stored import as_json
from packs.formats.document import Document

PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_.]*)\s*\}\}")
Context = Mapping[str, Any]


def placeholders(text: str) -> list[str]:
    """The names in a text in their order, repeated ones once."""
    return list(dict.fromkeys(PLACEHOLDER.findall(text)))


def context_of(case: Document) -> dict[str, Any]:
    """The names that a case offers: its payload, then its inputs with a value; inputs win."""
    payload, inputs = case.get("payload"), case.get("inputs")
    context = dict(payload) if isinstance(payload, dict) else {}
    for given in inputs if isinstance(inputs, list) else ():
        if isinstance(given, dict) and isinstance(given.get("key"), str) and given.get("value") is not None:
            context[given["key"].strip()] = given["value"]
    return context


def resolve(name: str, context: Context) -> tuple[bool, Any]:
    """Whether a dotted name leads to a value, and the value. A path walks mappings only, not lists."""
    value: Any = context
    for step in name.split("."):
        if not isinstance(value, Mapping) or step not in value:
            return False, None
        value = value[step]
    return True, value


def unresolved(text: str, context: Context) -> list[str]:
    """The names in a text that lead to no value, each once."""
    return [name for name in placeholders(text) if not resolve(name, context)[0]]


def render(text: str, context: Context) -> str:
    """The text with the placeholders replaced; those that lead to no value stay as they are."""

    def replacement(match: re.Match[str]) -> str:
        found, value = resolve(match.group(1), context)
        return shown(value) if found else match.group(0)

    return PLACEHOLDER.sub(replacement, text)


def shown(value: Any) -> str:
    """How a template prints a value."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return orjson.dumps(as_json(value)).decode()
