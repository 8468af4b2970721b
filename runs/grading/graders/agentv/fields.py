"""field-accuracy: fields of a JSON answer against those of the reference (agentv F.11)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from packs.formats.findings import index_of
from packs.formats.values import mapping
from runs.grading.graders.agentv.dates import day_of
from runs.grading.graders.agentv.rows import Check, ScoreRow, failing, mean_of, weight_of
from runs.grading.graders.agentv.scene import Scene
from runs.grading.graders.values import as_number, json_equal, parse_json

_FENCE = re.compile(r"```[a-zA-Z]*")
_STEP = re.compile(r"\[(\d{1,9})\]|([^.\[\]]+)")
_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_NOTHING = object()


@dataclass(frozen=True, slots=True)
class Hit:
    """Whether a field is right, and its weight in the mean."""

    check: Check
    weight: float


def judge(scene: Scene) -> ScoreRow:
    """The share of the fields' weights that are right, or all or nothing."""
    given = object_in(scene.answer)
    if given is _NOTHING:
        return failing("the answer holds no JSON object")
    reference = _reference(scene.case.expected_output)
    if not isinstance(reference, Mapping):
        return failing("there is no reference to compare with")
    hits = [_hit(mapping(field), reference, given) for field in scene.assertion.get("fields") or ()]
    checks = tuple(hit.check for hit in hits)
    if scene.assertion.get("aggregation") == "all_or_nothing":
        return ScoreRow(float(all(check.passed for check in checks)), checks)
    return ScoreRow(mean_of((float(hit.check.passed), hit.weight) for hit in hits), checks)


def object_in(text: str) -> Any:
    """The JSON in a text: fences removed, from the first brace to the last, all of it without any; else `_NOTHING`."""
    plain = _FENCE.sub("", text)
    start, end = plain.find("{"), plain.rfind("}")
    try:
        return parse_json(plain[start : end + 1] if 0 <= start < end else plain.strip())
    except ValueError:
        return _NOTHING


def _reference(messages: Sequence[Any]) -> Any:
    """What the last expected message of an assistant holds."""
    for message in reversed([mapping(message) for message in messages]):
        if message.get("role") == "assistant":
            content = message.get("content")
            return object_in(content) if isinstance(content, str) else content
    return None


def _hit(field: Mapping[str, Any], reference: Any, given: Any) -> Hit:
    path, weight = str(field.get("path", "")), weight_of(field.get("weight"))
    expected, actual = at_path(path, reference), at_path(path, given)
    if expected is _NOTHING:
        return Hit(Check(path, True, "the reference does not state it"), weight)
    if actual is _NOTHING:
        is_required = field.get("required") is not False
        return Hit(Check(path, not is_required, "it is missing"), weight if is_required else 0.0)
    reported = (
        "" if (passed := _matches(field, expected, actual)) else f"{expected!r} is expected, {actual!r} was given"
    )
    return Hit(Check(path, passed, reported[:500]), weight)


def at_path(path: str, value: Any) -> Any:
    """The value at a path of names and `[index]`."""
    for step in _steps(path):
        if isinstance(step, int):
            if not isinstance(value, list) or step >= len(value):
                return _NOTHING
            value = value[step]
        elif isinstance(value, Mapping) and step in value:
            value = value[step]
        elif isinstance(value, list) and (index := index_of(step)) is not None and index < len(value):
            value = value[index]
        else:
            return _NOTHING
    return value


def _steps(path: str) -> Iterator[str | int]:
    for found in _STEP.finditer(path):
        yield int(found[1]) if found[1] else found[2]


def _matches(field: Mapping[str, Any], expected: Any, actual: Any) -> bool:
    how = field.get("match", "exact")
    if how == "numeric_tolerance":
        return _is_near(field, _number(expected), _number(actual))
    if how == "date":
        formats = [text for text in field.get("formats") or () if isinstance(text, str)]
        wanted = day_of(expected, formats)
        return wanted is not None and wanted == day_of(actual, formats)
    return json_equal(expected, actual)


def _is_near(field: Mapping[str, Any], expected: float | None, actual: float | None) -> bool:
    if expected is None or actual is None:
        return False
    distance = abs(actual - expected)
    if field.get("relative") is True and expected:
        distance /= abs(expected)
    return distance <= (as_number(field.get("tolerance")) or 0.0)


def _number(value: Any) -> float | None:
    """A number, or the one that a text begins with."""
    if isinstance(value, str):
        found = _NUMBER.match(value)
        return float(found[1]) if found else None
    return as_number(value)
