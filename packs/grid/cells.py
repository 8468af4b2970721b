"""A value as the text of a cell, and the text as a value again: for the grid, for CSV and for pasted tables.

A text that is what the present value shows changes nothing, so that a table may go out and come back whole.
"""

from collections.abc import Callable
from typing import Any

from packs.editing.values import ABSENT
from packs.formats.structure.model import Schema, types_of, variants_of
from packs.formats.tables.texts import plain
from packs.forms.building import summary_of
from packs.forms.conversions import WORDS
from packs.forms.encoding import json_text, read_json, read_number


def shown(value: Any) -> str:
    """The text of a cell; lists of plain texts have one a line, everything else that is not text is JSON."""
    if value is ABSENT or value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(map(_is_line, value)):
        return "\n".join(value)
    return json_text(value, indent=None)


def glimpse(value: Any) -> str:
    """What the grid shows of a value until it is edited: of a list of objects, such as messages or checks, what tells
    each from the others, one a line; the text of a cell of anything else."""
    if not isinstance(value, list) or not any(isinstance(item, dict) for item in value):
        return shown(value)
    return "\n".join(_line_of(item) for item in value)


def _line_of(item: Any) -> str:
    if not isinstance(item, dict):
        return shown(item)
    content = item.get("content")
    parts = content if isinstance(content, list) else [content] if isinstance(content, str) else []
    said = "\n".join(summary_of(part) if isinstance(part, dict) else shown(part) for part in parts)
    return " · ".join(filter(None, (summary_of(item), said))) or shown(item)


def _is_line(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "\n" not in value and value[0] not in "[{"


def read(text: str, schema: Schema, present: Any = ABSENT) -> Any:
    """The value that a text means where the schema holds; the present one where the text already shows it.

    An empty text means no value. A text that suits no type of the schema stays a text, which the checks then refuse.
    """
    text = plain(text)
    if text == plain(shown(present)):
        return present
    if not text:
        return ABSENT
    if isinstance(present, int | float) and not isinstance(present, bool):
        number = read_number(text)
        if not isinstance(number, str):
            return number
    says_nothing = not (types_of(schema) or variants_of(schema) or "enum" in schema or "const" in schema)
    if says_nothing and isinstance(present, str):
        return text
    is_json = text[0] in "[{"
    shapes = variants_of(schema) or (schema,)
    for shape in sorted(shapes, key=lambda shape: is_json and not {"array", "object"} & set(types_of(shape))):
        found = _as_shape(text, shape)
        if found is not ABSENT:
            return found
    return text


def _as_shape(text: str, schema: Schema) -> Any:
    """The value of this shape that a text means; ABSENT where it means none."""
    if "const" in schema or schema.get("enum"):
        allowed = [schema["const"]] if "const" in schema else schema["enum"]
        return next((value for value in allowed if shown(value) == text), ABSENT)
    for name in types_of(schema) or ("anything",):
        found = _READERS[name](text, schema) if name in _READERS else ABSENT
        if found is not ABSENT:
            return found
    return ABSENT


def _number(text: str, _: Schema) -> Any:
    found = read_number(text)
    return ABSENT if isinstance(found, str) else found


def _whole(text: str, _: Schema) -> Any:
    found = read_number(text)
    return found if isinstance(found, int) else ABSENT


def _flag(text: str, _: Schema) -> Any:
    return WORDS.get(text.strip().lower(), ABSENT)


def _json(kind: type) -> Callable[[str, Schema], Any]:
    def reader(text: str, _: Schema) -> Any:
        found = _parsed(text)
        return found if isinstance(found, kind) else ABSENT

    return reader


def _parsed(text: str) -> Any:
    """The value of a JSON text; ABSENT for any other text."""
    try:
        return read_json(text)
    except (ValueError, RecursionError):
        return ABSENT


def _list(text: str, schema: Schema) -> Any:
    found = _json(list)(text, schema)
    if found is not ABSENT:
        return found
    item = schema.get("items", {})
    return [read(line, item) for line in text.split("\n") if line.strip()]


def _anything(text: str, _: Schema) -> Any:
    """A value of which nothing is said: JSON where it can be nothing else than that, otherwise a text."""
    is_json = text[0] in "[{-0123456789" or text in ("true", "false", "null")
    found = _parsed(text) if is_json else ABSENT
    return text if found is ABSENT else found


_READERS: dict[str, Callable[[str, Schema], Any]] = {
    "string": lambda text, _: text,
    "number": _number,
    "integer": _whole,
    "boolean": _flag,
    "array": _list,
    "object": _json(dict),
    "anything": _anything,
}
