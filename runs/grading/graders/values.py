"""JSON values as texts and as numbers, the way the evidence rules read them (challenge-pack d.2, rule 5)."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import orjson

from runs.replay.trajectories.pairing import can_pair

MAX_DEPTH = 200
MAX_PAIRS = 200_000
MAX_COUNT = 2**63

_TEXT_MEMBERS = ("value", "content", "text", "answer")
_ESCAPED = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_TO_ESCAPE = re.compile("[<>&\u2028\u2029]")


class TooDeep(ValueError):
    """A JSON value goes beyond what is made into texts: more than `MAX_DEPTH` levels, or numbers beyond a double."""


def is_number(value: object) -> bool:
    """Whether a JSON value is a number; booleans are not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def as_number(value: object) -> float | None:
    """A JSON number as a float, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def as_count(value: object) -> int | None:
    """A JSON number cut to an integer, None for anything else and for numbers that 64 bits do not hold."""
    number = as_number(value)
    return None if number is None or not abs(number) < MAX_COUNT else int(number)


def loose_text(value: object, depth: int = 0) -> str | None:
    """The text that a value is or wraps, None when it is not text-like.

    An object gives its first text-like member among value, content, text and answer; a list of one element that
    element.
    """
    while isinstance(value, (list, tuple)) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        return value
    if not isinstance(value, Mapping) or depth > MAX_DEPTH:
        return None
    for member in _TEXT_MEMBERS:
        if member in value:
            text = loose_text(value[member], depth + 1)
            if text is not None:
                return text
    return None


def to_text(value: object) -> str:
    """The text of any JSON value. Raises TooDeep."""
    text = loose_text(value)
    if text is not None:
        return text
    number = as_number(value)
    if number is not None:
        return number_text(number)
    return compact_json(value)


def number_text(number: float) -> str:
    """The shortest text of a number; in exponent form below 0.0001 and from a million up.

    A quirk that data depends on: 1000000 is written 1e+06 and 123456789 is 1.23456789e+08.
    """
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else ("+Inf" if number > 0 else "-Inf")
    sign, digits, exponent = _scientific(number)
    if -4 <= exponent < 6 or not digits:
        return sign + _positional(digits, exponent)
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def _scientific(number: float) -> tuple[str, str, int]:
    """Sign, significant digits without zeros at either end, and the power of ten of the first digit."""
    text = repr(number)
    sign = "-" if text.startswith("-") else ""
    mantissa, _, power = text.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    exponent = len(whole) - 1 + int(power or 0)
    if whole.strip("0") == "":
        exponent = len(digits) - len(fraction) - 1 + int(power or 0)
    return sign, digits.rstrip("0"), exponent if digits.rstrip("0") else 0


def _positional(digits: str, exponent: int) -> str:
    if not digits:
        return "0"
    if exponent < 0:
        return "0." + "0" * (-exponent - 1) + digits
    whole = digits[: exponent + 1].ljust(exponent + 1, "0")
    return f"{whole}.{digits[exponent + 1 :]}" if len(digits) > exponent + 1 else whole


def compact_json(value: object, *, sort_keys: bool = True) -> str:
    """JSON text without white space, keys sorted, with <, > and & written as escapes. Raises TooDeep."""
    return _TO_ESCAPE.sub(lambda match: _ESCAPED[match.group()], plain_json(value, sort_keys=sort_keys))


def plain_json(value: object, *, sort_keys: bool = False) -> str:
    """JSON text without white space; numbers of integral value have no fraction. Raises TooDeep."""
    return "".join(_json_parts(value, sort_keys, 0))


def _json_parts(value: object, sort_keys: bool, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        raise TooDeep("nested too deeply")
    if isinstance(value, Mapping):
        keys = sorted(value) if sort_keys else list(value)
        members = (chain((_json_string(key), ":"), _json_parts(value[key], sort_keys, depth + 1)) for key in keys)
        yield from _joined("{", members, "}")
    elif isinstance(value, (list, tuple)):
        yield from _joined("[", (_json_parts(item, sort_keys, depth + 1) for item in value), "]")
    else:
        yield _json_scalar(value)


def _joined(opening: str, members: Iterator[Iterator[str]], closing: str) -> Iterator[str]:
    yield opening
    for index, member in enumerate(members):
        if index:
            yield ","
        yield from member
    yield closing


def _json_scalar(value: object) -> str:
    if isinstance(value, str):
        return _json_string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    number = as_number(value)
    if number is None or not math.isfinite(number):
        raise TooDeep(f"a {type(value).__name__} that is no JSON value, or a number beyond a double")
    return _json_number(number)


def _json_string(text: str) -> str:
    return orjson.dumps(text.encode("utf-8", "replace").decode()).decode()


def _json_number(number: float) -> str:
    sign, digits, exponent = _scientific(number)
    if -7 < exponent < 21 or not digits:
        return sign + _positional(digits, exponent)
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent)}"


def parse_json(text: str) -> Any:
    """Read a JSON text strictly.

    Raises ValueError when it is not JSON, and TooDeep when it is nested more than `MAX_DEPTH` levels.
    """
    value = orjson.loads(text)
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth_exceeds(value, MAX_DEPTH):
        raise TooDeep("nested too deeply")
    return value


def _depth_exceeds(value: object, limit: int) -> bool:
    level = [value]
    for _ in range(limit + 1):
        level = [child for item in level for child in _children(item)]
        if not level:
            return False
    return True


def _children(value: object) -> Sequence[object]:
    if isinstance(value, dict):
        return [item for item in value.values() if isinstance(item, (dict, list))]
    if isinstance(value, list):
        return [item for item in value if isinstance(item, (dict, list))]
    return ()


def json_equal(left: object, right: object) -> bool:
    """Structural equality of JSON values: numbers by value, booleans only with booleans."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(json_equal(item, right[key]) for key, item in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(json_equal, left, right))
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return left == right


def json_same(left: object, right: object) -> bool:
    """Equality as a stated expectation asks for it: two numbers by value, but inside lists and objects 2 is not 2.0.

    A quirk that recorded results depend on; `json_equal` has not got it.
    """
    if is_number(left) and is_number(right):
        return left == right
    return json_equal(left, right) and _number_kinds(left) == _number_kinds(right)


def _number_kinds(value: object) -> object:
    """The same structure with the type of each number in its place."""
    if isinstance(value, dict):
        return {key: _number_kinds(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_number_kinds(item) for item in value]
    return type(value) if is_number(value) else None


def json_contains(value: object, fragment: object) -> bool:
    """Whether a value contains a fragment: objects by members, lists as sets in which an element serves once.

    Raises TooDeep when lists of lists or objects are too long to be compared with each other.
    """
    if isinstance(fragment, dict):
        return isinstance(value, dict) and all(
            key in value and json_contains(value[key], item) for key, item in fragment.items()
        )
    if isinstance(fragment, list):
        return isinstance(value, list) and _contains_each(value, fragment)
    return json_equal(value, fragment)


def _contains_each(values: list[object], fragments: list[object]) -> bool:
    """Whether every fragment finds an element of its own: scalars by counting, the rest by matching."""
    if len(fragments) > len(values):
        return False
    wanted, nested = _sorted_out(fragments)
    found, structures = _sorted_out(values)
    return wanted <= found and _matches_each(structures, nested)


def _sorted_out(items: list[object]) -> tuple[Counter[tuple[bool, object]], list[object]]:
    """Scalars with how often they occur (true is not 1), and the lists and objects."""
    nested: list[object] = [item for item in items if isinstance(item, (dict, list))]
    scalars = Counter((isinstance(item, bool), item) for item in items if not isinstance(item, (dict, list)))
    return scalars, nested


def _matches_each(values: list[object], fragments: list[object]) -> bool:
    """Whether there is a matching of fragments to values that contain them."""
    if len(values) * len(fragments) > MAX_PAIRS:
        raise TooDeep("too many lists and objects to compare with each other")
    fits = [[i for i, value in enumerate(values) if json_contains(value, fragment)] for fragment in fragments]
    return can_pair(fits)
