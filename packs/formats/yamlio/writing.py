"""From plain JSON values to canonical YAML: text that every YAML 1.1 and 1.2 reader reads as the same value."""

import re
from collections.abc import Callable, Set
from dataclasses import dataclass
from math import isfinite
from typing import Any

import orjson

from packs.formats.yamlio.dialects import GO_YAML, Dialect
from packs.formats.yamlio.events import collector_paused
from packs.formats.yamlio.reading import read
from packs.formats.yamlio.rules import UnwritableError

# Longer keys need the explicit form `? key`: readers look for the colon within 1024 bytes only.
_MAX_SIMPLE_KEY = 200

# Control characters, line breaks of YAML 1.1, byte order marks, noncharacters, and marks that turn the direction of
# text around, so that a reviewer would not see what is there.
_ESCAPED = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_NOT_LITERAL = re.compile(
    "[ \t](?:\n|$)|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)
_NAMED_CONSTANTS = {None: "null", True: "true", False: "false"}

# A text can stand without quotes when it starts with a letter or the like, ...
_PLAIN = re.compile(r"[^\W_][^\x00-\x1f\x7f-\x9f]*|[_/.(+$^;\u00a1-\uffff\U00010000-\U0010ffff][^\x00-\x1f\x7f-\x9f]*")
# ... has nothing that ends or splits it, ...
_BREAKS = re.compile(r": |:$| #|\s$|[\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
# ... and is nothing that any reader could take for a number, a date, a time, a boolean, null or a merge.
_RETYPED = re.compile(
    r"[-+.0-9][-+.,:_0-9a-fA-FoOxXtTzZ ]*|[-+]?\.(?:inf|nan)|y|n|yes|no|on|off|true|false|null|\.\.\..*",
    re.IGNORECASE | re.DOTALL,
)


def _is_plain(text: str) -> bool:
    return bool(_PLAIN.fullmatch(text)) and not _BREAKS.search(text) and not _RETYPED.fullmatch(text)


@dataclass(frozen=True, slots=True)
class Style:
    """What a format's canonical text looks like where it has rules of its own.

    `is_plain` says which texts stand without quotes, and `not_literal` finds what keeps text of several lines from
    being a block. `quoted` names the lists whose texts always stand in quotes. `flow` are the lists of single values on
    one line, each by its indentation, the key above, and its own. A blank line stands before the keys of `apart` at
    the root.
    """

    is_plain: Callable[[str], bool] = _is_plain
    not_literal: re.Pattern[str] = _NOT_LITERAL
    quoted: Set[str] = frozenset()
    flow: Set[tuple[int, str, str]] = frozenset()
    apart: Set[str] = frozenset()


_STYLE = Style()


def write(value: Any, *, dialect: Dialect = GO_YAML, style: Style = _STYLE) -> str:
    """The canonical text of a JSON value in a style; keys keep their order.

    The text is read again by the dialect and is the same value, or UnwritableError is raised: for infinities, integers
    beyond 64 bits, lone surrogates, keys that are no texts, other types than JSON's, and more than MAX_DEPTH levels.
    """
    with collector_paused():
        try:
            expected = orjson.dumps(value)
            lines: list[str] = []
            _write_root(lines, value, style)
            text = "\n".join(lines) + "\n"
        except (TypeError, orjson.JSONEncodeError, RecursionError) as error:
            raise UnwritableError(str(error)) from error
        again, findings = read(text, dialect=dialect)
        if findings or orjson.dumps(again) != expected:
            reason = findings[0].message if findings else "it would be read back as another value"
            raise UnwritableError(f"The value cannot be written as YAML: {reason}")
    return text


def _write_root(lines: list[str], value: Any, style: Style) -> None:
    if isinstance(value, dict) and value:
        _write_mapping(lines, value, 0, style)
    elif isinstance(value, list) and value:
        _write_sequence(lines, value, 0, style)
    else:
        # Readers disagree about the indentation of a block scalar at the root, so it is quoted.
        lines.append(_quoted(value) if isinstance(value, str) and "\n" in value else _one_line(value, style))


def _write_mapping(lines: list[str], mapping: dict[str, Any], indent: int, style: Style, above: str = "") -> None:
    margin = " " * indent
    for key, value in mapping.items():
        if indent == 0 and key in style.apart and lines:
            lines.append("")
        text = _text(key, style)
        if len(text) > _MAX_SIMPLE_KEY:
            lines.append(f"{margin}? {text}")
            head = margin + ":"
        else:
            head = f"{margin}{text}:"
        kind = type(value)
        if kind is dict and value:
            lines.append(head)
            _write_mapping(lines, value, indent + 2, style, key)
        elif kind is list and value:
            if (indent, above, key) in style.flow and not any(isinstance(item, dict | list) for item in value):
                lines.append(f"{head} [{', '.join(_one_line(item, style) for item in value)}]")
            else:
                lines.append(head)
                _write_sequence(lines, value, indent + 2, style, key)
        elif kind is str and "\n" in value:
            _write_long(lines, head, value, indent + 2, style)
        else:
            lines.append(f"{head} {_one_line(value, style)}")


def _write_sequence(lines: list[str], sequence: list[Any], indent: int, style: Style, above: str = "") -> None:
    margin = " " * indent
    for value in sequence:
        kind = type(value)
        if kind is dict and value:
            start = len(lines)
            _write_mapping(lines, value, indent + 2, style, above)
            lines[start] = f"{margin}- {lines[start][indent + 2 :]}"
        elif kind is list and value:
            start = len(lines)
            _write_sequence(lines, value, indent + 2, style)
            lines[start] = f"{margin}- {lines[start][indent + 2 :]}"
        elif kind is str and "\n" in value:
            _write_long(lines, margin + "-", value, indent + 2, style)
        else:
            is_quoted = kind is str and above in style.quoted
            lines.append(f"{margin}- {_quoted(value) if is_quoted else _one_line(value, style)}")


def _write_long(lines: list[str], head: str, text: str, indent: int, style: Style) -> None:
    """Text of several lines: a literal block, or quotes where a block would change it or hide a blank."""
    body = text.rstrip("\n")
    if not body or style.not_literal.search(text):
        lines.append(f"{head} {_quoted(text)}")
        return
    ending = len(text) - len(body)
    chomping = "-" if ending == 0 else "" if ending == 1 else "+"
    indicator = "2" if text[0] in " \t\n" else ""
    lines.append(f"{head} |{indicator}{chomping}")
    margin = " " * indent
    lines.extend(margin + line if line else "" for line in body.split("\n"))
    lines.extend([""] * (ending - 1))


def _one_line(value: Any, style: Style) -> str:
    kind = type(value)
    if kind is str:
        return _text(value, style)
    if kind is bool or value is None:
        return _NAMED_CONSTANTS[value]
    if kind is int:
        return str(value)
    if kind is float:
        return _number(value)
    if kind in (dict, list) and not value:
        return "{}" if kind is dict else "[]"
    raise TypeError(f"{kind.__name__} is not a JSON value")


def _number(value: float) -> str:
    """The shortest form that reads as the same float; YAML 1.1 wants a point and a signed exponent."""
    if not isfinite(value):
        raise TypeError(f"{value} is not a JSON value")
    text = repr(value)
    mantissa, exponent, power = text.partition("e")
    return text if "." in mantissa else f"{mantissa}.0{exponent}{power}"


def _text(text: str, style: Style) -> str:
    """A text on one line: bare where every reader takes it for just this text, else in quotes."""
    return text if style.is_plain(text) else _quoted(text)


def _quoted(text: str) -> str:
    # JSON's escapes are a part of YAML's; what JSON leaves raw and YAML does not is escaped afterwards.
    return _ESCAPED.sub(_escape, orjson.dumps(text).decode())


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
