"""JSON values as the format's canonical YAML (task-suite 11): its own rules of quoting, blocks and flow lists."""

import re
from collections.abc import Iterable
from typing import Any

import orjson

from packs.formats.yamlio import UnwritableError

# A text can stand without quotes when it has only these characters ...
_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./@^()+' -]*(?<! )")
# ... and is nothing that a reader of YAML 1.1 or 1.2 takes for another type.
_TYPED = re.compile(
    r"""y|n|yes|no|on|off|true|false|null
    | 0b[01_]+ | 0o?[0-7_]+ | 0x[0-9a-f_]+ | [0-9][0-9_]*
    | (?:[0-9][0-9_]*)?\.[0-9_.]*(?:e[-+]?[0-9]+)? | [0-9]+e[-+]?[0-9]+ | \.(?:inf|nan)
    | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[t ].*)? | \.\.\..*""",
    re.IGNORECASE | re.VERBOSE,
)
_CONTROL = "\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff"
_NOT_LITERAL = re.compile(rf"\A[ \n]|[ ](?:\n|\Z)|\n\n\Z|[{_CONTROL}]")
_ESCAPED = re.compile(rf"[{_CONTROL}]")
_CONSTANTS = {None: "null", True: "true", False: "false"}

# Longer keys need the explicit form `? key`: readers look for the colon within 1024 bytes only.
_MAX_SIMPLE_KEY = 200

# Lists whose texts are always quoted, because commands and patterns invite characters that mean something in YAML.
QUOTED_LISTS = frozenset({"commands", "checks", "patterns", "deny_patterns", "rubric_paths"})


def scalar(value: Any) -> str:
    """A value on one line.

    Raises UnwritableError for what JSON cannot hold.
    """
    if isinstance(value, str):
        is_plain = _PLAIN.fullmatch(value) and not _TYPED.fullmatch(value)
        return value if is_plain else quoted(value)
    if value is None or isinstance(value, bool):
        return _CONSTANTS[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, dict | list) and not value:
        return "{}" if isinstance(value, dict) else "[]"
    raise UnwritableError(f"{type(value).__name__} is not a JSON value")


def _number(value: float) -> str:
    text = repr(value)
    if text.lstrip("-")[:1] in "in":
        raise UnwritableError(f"{value} is not a JSON value")
    mantissa, exponent, power = text.partition("e")
    return text if "." in mantissa else f"{mantissa}.0{exponent}{power}"


def quoted(text: str) -> str:
    """A text in double quotes; what readers of YAML could misread or hide is escaped.

    Raises UnwritableError for half characters.
    """
    try:
        return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", orjson.dumps(text).decode())
    except orjson.JSONEncodeError as error:
        raise UnwritableError(str(error)) from error


class Emitter:
    """Collects the lines of one text."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines) or "{}\n"

    def mapping(self, value: dict[str, Any], indent: int, flow: Iterable[str] = ()) -> None:
        """The entries of a mapping; `flow` names those whose lists of single values stand on one line."""
        for key, part in value.items():
            self.entry(key, part, indent, is_flow=key in flow)

    def entry(self, key: str, value: Any, indent: int, *, is_flow: bool = False) -> None:
        """One entry of a mapping."""
        name = scalar(key)
        head = " " * indent + f"{name}:"
        if len(name) > _MAX_SIMPLE_KEY:
            self.lines.append(" " * indent + f"? {name}")
            head = " " * indent + ":"
        if is_flow and isinstance(value, list) and value and not any(isinstance(item, dict | list) for item in value):
            self.lines.append(f"{head} [{', '.join(scalar(item) for item in value)}]")
        elif isinstance(value, dict) and value:
            self.lines.append(head)
            self.mapping(value, indent + 2)
        elif isinstance(value, list) and value:
            self.lines.append(head)
            self.sequence(value, indent + 2, is_quoted=key in QUOTED_LISTS)
        else:
            self._leaf(head, value, indent + 2)

    def sequence(self, values: list[Any], indent: int, *, is_quoted: bool = False) -> None:
        """The items of a list, each after a dash."""
        for value in values:
            self.item(value, indent, is_quoted=is_quoted)

    def item(self, value: Any, indent: int, *, is_quoted: bool = False, flow: Iterable[str] = ()) -> None:
        """One item of a list."""
        margin, start = " " * indent, len(self.lines)
        if isinstance(value, dict) and value:
            self.mapping(value, indent + 2, flow)
        elif isinstance(value, list) and value:
            self.sequence(value, indent + 2)
        elif is_quoted and isinstance(value, str) and "\n" not in value:
            self.lines.append(f"{margin}- {quoted(value)}")
            return
        else:
            self._leaf(f"{margin}-", value, indent + 2)
            return
        self.lines[start] = f"{margin}- {self.lines[start][indent + 2 :]}"

    def _leaf(self, head: str, value: Any, indent: int) -> None:
        """A single value after its key or dash: text of several lines as a block where that keeps it whole."""
        if not isinstance(value, str) or "\n" not in value or _NOT_LITERAL.search(value):
            self.lines.append(f"{head} {scalar(value)}")
            return
        ends = value.endswith("\n")
        self.lines.append(f"{head} {'|' if ends else '|-'}")
        body = value[:-1] if ends else value
        self.lines.extend(" " * indent + line if line else "" for line in body.split("\n"))
