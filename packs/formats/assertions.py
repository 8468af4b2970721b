"""Assertions: `fact op literal` (task-suite 4.4), read once for checks and graders alike."""

import re
from dataclasses import dataclass

import orjson

_ASSERTION = re.compile(
    r"""\s*(?P<name>[A-Za-z_][A-Za-z0-9_.]*)\s*(?P<op>==|!=|<=|>=|<|>)\s*(?P<literal>true|false|
    -?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|"(?:[^"\\]|\\.)*"|'[^']*')\s*""",
    re.VERBOSE,
)
ORDERING = frozenset({"<", "<=", ">", ">="})
MAX_LENGTH = 2000


@dataclass(frozen=True, slots=True)
class Assertion:
    """A fact, an operator and the value that the fact is compared with."""

    fact: str
    operator: str
    literal: bool | float | str


def parse_assertion(text: str) -> Assertion | None:
    """The assertion that a text states; None where it states none, or orders what is not a number."""
    match = _ASSERTION.fullmatch(text) if len(text) <= MAX_LENGTH else None
    if match is None:
        return None
    literal = _literal(match["literal"])
    if literal is None or (match["op"] in ORDERING and isinstance(literal, bool | str)):
        return None
    return Assertion(match["name"], match["op"], literal)


def _literal(text: str) -> bool | float | str | None:
    if text in ("true", "false"):
        return text == "true"
    if text[0] == "'":
        return text[1:-1]
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, str | int | float) else None
