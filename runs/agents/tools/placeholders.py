"""Placeholders in the arguments that a tool of the pack passes on: `${name}`, `${name.path}` (challenge-pack c.5).

`${parameters}` stands for all arguments, `${secrets.NAME}` for a secret; `${json:...}`, `${query:...}` and
`${path:...}` write the value as JSON text, as part of a query and as one step of a path.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, quote_plus

import orjson

from runs.agents.tools.contract import Origin, ToolFailed

PLACEHOLDER = re.compile(r"\$\{([^}]*)\}")
SECRETS = "secrets"
ALL = "parameters"


@dataclass(frozen=True, slots=True)
class Values:
    """What placeholders can stand for. Where `is_lenient`, one that stands for nothing is left as it is written."""

    arguments: Mapping[str, Any]
    secrets: Mapping[str, str] = field(default_factory=dict)
    is_lenient: bool = False

    def find(self, name: str) -> Any:
        """The value of a placeholder. Raises KeyError."""
        root, *steps = name.split(".")
        if root == SECRETS and steps and not self.is_lenient:
            return self.secrets[".".join(steps)]
        if root == ALL and not steps and ALL not in self.arguments:
            return dict(self.arguments)
        value: Any = self.arguments
        for step in (root, *steps):
            if not isinstance(value, Mapping):
                raise KeyError(name)
            value = value[step]
        return value


def as_json(value: Any) -> str:
    """Compact JSON, also of what orjson does not write: whole numbers beyond 64 bits, halves of surrogate pairs."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value, separators=(",", ":"))


def as_text(value: Any) -> str:
    """A value within a text: texts as they are, everything else as JSON."""
    return value if isinstance(value, str) else as_json(value)


ENCODINGS: dict[str, Callable[[Any], str]] = {
    "json": as_json,
    "query": lambda value: quote_plus(as_text(value)),
    "path": lambda value: quote(as_text(value), safe=""),
}


def fill(template: Any, values: Values) -> Any:
    """A template with its placeholders filled in. Raises ToolFailed for one that stands for nothing.

    A text that is nothing but one placeholder becomes the value itself, whatever its type.
    """
    if isinstance(template, Mapping):
        return {name: fill(part, values) for name, part in template.items()}
    if isinstance(template, list | tuple):
        return [fill(part, values) for part in template]
    return fill_text(template, values) if isinstance(template, str) else template


def fill_text(template: str, values: Values) -> Any:
    """The text with its placeholders filled in, or the value of the one that is all of it."""
    whole = PLACEHOLDER.fullmatch(template)
    if whole:
        return _value(whole, values)
    return PLACEHOLDER.sub(lambda match: as_text(_value(match, values)), template)


def _value(match: re.Match[str], values: Values) -> Any:
    inside = match.group(1).strip()
    encoding, colon, name = inside.partition(":")
    encode = ENCODINGS.get(encoding.strip()) if colon else None
    try:
        found = values.find(name.strip() if encode else inside)
    except KeyError:
        if values.is_lenient:
            return match.group(0)
        raise ToolFailed(f"nothing was given for {match.group(0)}", Origin.RESOLUTION) from None
    return encode(found) if encode else found


def uses_secrets(template: Any) -> bool:
    """Whether a template names a secret."""
    if isinstance(template, Mapping):
        return any(map(uses_secrets, template.values()))
    if isinstance(template, list | tuple):
        return any(map(uses_secrets, template))
    if not isinstance(template, str):
        return False
    written = (match.group(1).rpartition(":")[2].strip() for match in PLACEHOLDER.finditer(template))
    return any(name.startswith(f"{SECRETS}.") for name in written)
