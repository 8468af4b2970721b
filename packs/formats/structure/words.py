"""What messages call values and the types that schemas ask for."""

from collections.abc import Iterable
from typing import Any

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "a mapping",
    "array": "a list",
    "null": "nothing",
}
_KINDS = {str: "string", int: "number", float: "number", bool: "boolean", dict: "object", list: "array"}
SHOWN = 60


def described(value: Any) -> str:
    """What a message calls a value: its type, and short values themselves."""
    if type(value) is str:
        return f"the text {value!r}" if 0 < len(value) <= SHOWN else "an empty text" if not value else "text"
    if type(value) in (int, float):
        shown = repr(value)
        return f"the number {shown}" if len(shown) <= SHOWN else "a number"
    if type(value) is bool:
        return "true" if value else "false"
    return _TYPES[_KINDS.get(type(value), "null")]


def types_described(types: Iterable[str]) -> str:
    """What a message calls the JSON types that are allowed, such as `a text or a list`; of null it says nothing."""
    return " or ".join(dict.fromkeys(_TYPES[name] for name in types if name != "null"))
