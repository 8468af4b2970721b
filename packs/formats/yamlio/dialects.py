"""How plain scalars become values, and what a format allows in a YAML file."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from math import isfinite
from typing import Any

# Texts that can be something other than text start with one of these; "" stands for an empty scalar.
TYPED_STARTS = frozenset(["", *"+-.0123456789~nNtTfFyYoO"])

_WORDS: dict[str, Any] = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"]),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
    **dict.fromkeys([".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"], float("inf")),
    **dict.fromkeys(["-.inf", "-.Inf", "-.INF"], float("-inf")),
    **dict.fromkeys([".nan", ".NaN", ".NAN"], float("nan")),
}

_DECIMAL = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_CORE_BASED = re.compile(r"0(?:o[0-7]+|x[0-9a-fA-F]+)")
_GO_BASED = re.compile(r"[-+]?0(?:[xX][0-9a-fA-F]+|[bB][01]+|[oO]?[0-7]+)")
_GO_DATE = r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})"
_GO_TIME = r"([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]+))?"
_GO_STAMP = re.compile(rf"{_GO_DATE}(?:(?:[Tt]{_GO_TIME}(Z|[-+][0-9]{{2}}:[0-9]{{2}}))| {_GO_TIME})?")

# What PyYAML's safe loader resolves by the rules of YAML 1.1, in which words are booleans and colons count by sixty.
_WORDS_11: dict[str, Any] = {
    **_WORDS,
    **dict.fromkeys(["yes", "Yes", "YES", "on", "On", "ON"], True),
    **dict.fromkeys(["no", "No", "NO", "off", "Off", "OFF"], False),
}
_INTEGER_11 = re.compile(
    r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]+|0|[1-9][0-9_]*|[1-9][0-9_]*(?::[0-5]?[0-9])+)",
)
_FLOAT_11 = re.compile(
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*"
)
_DATE_11 = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?"
)

# No number of more digits fits a float, and Python limits the conversion of long texts to int.
_MAX_DIGITS = 400


def _integer(text: str, base: int) -> int | None:
    return int(text, base) if len(text) <= _MAX_DIGITS else None


def _finite(text: str) -> float | str:
    """A float, or the text itself where the number is too large to be one."""
    value = float(text)
    return value if isfinite(value) else text


def _go_instant(match: re.Match[str]) -> str | None:
    """A timestamp as Go's JSON encoder writes it, or None when it is no real date, time or offset."""
    parts = match.groups()
    year, month, day = (int(part) for part in parts[:3])
    clock = parts[3:7] if parts[3] is not None else parts[8:12]
    hour, minute, second = (int(part or 0) for part in clock[:3])
    zone = parts[7] or "Z"
    try:
        date(year or 2000, month, day)
    except ValueError:
        return None
    if hour > 23 or minute > 59 or second > 59:
        return None
    if zone != "Z" and (int(zone[1:3]) > 24 or int(zone[4:]) > 59):
        return None
    fraction = (clock[3] or "")[:9].rstrip("0")
    suffix = "Z" if zone[1:] == "00:00" else zone
    moment = f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
    return f"{moment}.{fraction}{suffix}" if fraction else moment + suffix


def resolve_go(text: str) -> Any:
    """A plain scalar as gopkg.in/yaml.v3 reads it into a free-form value that is then stored as JSON.

    challenge-pack a.1. Integers are exact whatever their size; infinities and not-a-number come back as floats.
    """
    if text in _WORDS:
        return _WORDS[text]
    stamp = _GO_STAMP.fullmatch(text)
    if stamp and (instant := _go_instant(stamp)):
        return instant
    # Only texts that start with a digit or a sign may group their digits.
    plain = text.replace("_", "") if text[0] in "+-0123456789" else text
    value: Any = None
    if _GO_BASED.fullmatch(plain):
        value = _go_based(plain)
    elif _DECIMAL.fullmatch(plain):
        value = _integer(plain, 10)
    if value is None and _FLOAT.fullmatch(plain):
        value = _finite(plain)
    return text if value is None or isinstance(value, str) else value


def _go_based(plain: str) -> int | None:
    digits = plain.lstrip("+-").lower()[1:]
    base = {"x": 16, "b": 2}.get(digits[0], 8)
    # Only the first letter names the base: a "b" after an "x" is a digit.
    value = _integer(digits[1:] if digits[0] in "xbo" else digits, base)
    return -value if value is not None and plain[0] == "-" else value


def resolve_core(text: str) -> Any:
    """A plain scalar by the core schema of YAML 1.2 (section 10.3.2)."""
    if text in _WORDS:
        return _WORDS[text]
    if _CORE_BASED.fullmatch(text):
        value = _integer(text[2:], 16 if text[1] == "x" else 8)
        return text if value is None else value
    if _DECIMAL.fullmatch(text) and (decimal := _integer(text, 10)) is not None:
        return decimal
    return _finite(text) if _FLOAT.fullmatch(text) else text


def resolve_11(text: str) -> Any:
    """A plain scalar as PyYAML's safe loader reads it (benchmark-pack 1); dates stay texts, as JSON has none."""
    if text in _WORDS_11:
        return _WORDS_11[text]
    plain = text.replace("_", "")
    if _INTEGER_11.fullmatch(text):
        value = _integer_11(plain)
        return text if value is None else value
    if not _FLOAT_11.fullmatch(text):
        return text
    return _by_sixty(plain, float) if ":" in plain else _finite(plain)


def _integer_11(plain: str) -> int | None:
    digits, sign = plain.lstrip("+-"), -1 if plain[0] == "-" else 1
    if ":" in digits:
        return sign * int(_by_sixty(digits, int)) if len(digits) <= _MAX_DIGITS else None
    base = {"0b": 2, "0x": 16}.get(digits[:2], 8 if digits[0] == "0" else 10)
    # A base without digits, as in 0x_, is nothing that the loader can read.
    value = _integer(digits[2:] if base in (2, 16) else digits, base) if digits not in ("0b", "0x") else None
    return None if value is None else sign * value


def _by_sixty(plain: str, kind: type[int] | type[float]) -> int | float:
    """A number such as 1:30 or 1:30.5, whose parts count sixty of the next; added up from the last, as PyYAML does."""
    sign, total, base = -1 if plain[0] == "-" else 1, kind(0), 1
    for part in reversed(plain.lstrip("+-").split(":")):
        total, base = total + kind(part) * base, base * 60
    return sign * total


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a format says about its YAML.

    `resolve` turns a plain scalar into a value. `one_document`: a second document is an error; otherwise it is
    ignored with a warning. `text_keys`: a key that is a number, a boolean or null is taken as the text that was
    written, with a warning; otherwise it is an error. `tell_anchors`: every anchor is worth a warning. `takes_utf16`:
    a file may be UTF-16 with its mark, as YAML allows. `dates` matches plain scalars of which other readers make dates,
    which are worth a warning.
    """

    name: str
    resolve: Callable[[str], Any]
    one_document: bool = True
    text_keys: bool = False
    tell_anchors: bool = False
    takes_utf16: bool = False
    dates: re.Pattern[str] | None = None


GO_YAML = Dialect("go", resolve_go, one_document=False, text_keys=True, takes_utf16=True)
CORE_12 = Dialect("core", resolve_core)
YAML_11 = Dialect("1.1", resolve_11, dates=_DATE_11)
