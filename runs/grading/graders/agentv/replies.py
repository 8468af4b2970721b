"""What judges' models reply, and what follows from it (agentv F.8)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import orjson

from packs.formats.values import mapping
from runs.grading.graders.agentv.rows import Check, RowVerdict, ScoreRow, mean_of, verdict_of, weight_of
from runs.grading.graders.values import as_number

# What a check says of its criterion.
Said = TypeVar("Said")
# Of the checks that a free judgement lists, so many are kept.
MAX_CHECKS = 8
TOP = 10
# A criterion with score ranges is shown as met from here on.
MET = 7
_FENCE = re.compile(r"```json\n?|```")
# Judges write this field in many ways; any other word than true is false.
_PASSED = re.compile(r'("passed"\s*:\s*)(?:"([^"]+)"|([A-Za-z_][A-Za-z0-9_-]*))', re.IGNORECASE)


class Unusable(ValueError):
    """A reply that does not have the wanted shape."""


def object_of(text: str) -> Mapping[str, Any]:
    """The JSON object of a reply: without fences, from the first brace to the last, `passed` repaired.

    Raises Unusable.
    """
    plain = _FENCE.sub("", text)
    span = plain[plain.find("{") : plain.rfind("}") + 1]
    try:
        return mapping(orjson.loads(_PASSED.sub(_repaired, span)))
    except orjson.JSONDecodeError:
        raise Unusable("it holds no JSON object") from None


def _repaired(found: re.Match[str]) -> str:
    word = found[2] or found[3]
    return f"{found[1]}{'true' if word.strip().lower() == 'true' else 'false'}"


def free_row(text: str) -> ScoreRow:
    """The row of a free judgement: a score from 0 to 1. Raises Unusable."""
    reply = object_of(text)
    score = as_number(reply.get("score"))
    if score is None or not 0 <= score <= 1:
        raise Unusable("its score is not a number from 0 to 1")
    if not isinstance(reply.get("details", {}), Mapping):
        raise Unusable("`details` must be an object")
    checks = [_check(item) for item in _listed(reply, "assertions", [])]
    return ScoreRow(score, tuple(checks[:MAX_CHECKS]), details=reply.get("details"))


def _check(item: Mapping[str, Any]) -> Check:
    if not isinstance(item.get("passed"), bool):
        raise Unusable("an assertion does not say whether it passed")
    return Check(_text(item, "text"), item["passed"], _text(item, "evidence", ""))


def _listed(reply: Mapping[str, Any], name: str, default: Any = None) -> list[Mapping[str, Any]]:
    """The objects that a reply lists under a name. Raises Unusable."""
    listed = reply.get(name, default)
    if not isinstance(listed, list) or not all(isinstance(item, Mapping) for item in listed):
        raise Unusable(f"it has no list of {name}")
    return listed


def _text(item: Mapping[str, Any], name: str, default: Any = None) -> str:
    """A text of a part of a reply. Raises Unusable."""
    value = item.get(name, default)
    if not isinstance(value, str):
        raise Unusable(f"`{name}` must be text")
    return value


def checklist_row(text: str, items: Sequence[Mapping[str, Any]]) -> ScoreRow:
    """The row of a checklist: the weight of the satisfied criteria in that of all that were judged. Raises Unusable."""
    reply = object_of(text)
    _text(reply, "overall_reasoning")
    found = [(item, Check(_title(item), holds, why)) for item, (holds, why) in _judged(reply, items, _satisfied)]
    score = mean_of((float(check.passed), weight_of(item.get("weight"))) for item, check in found)
    is_failed = any(item.get("required") is True and not check.passed for item, check in found)
    return _with_verdict(score, [check for _, check in found], is_failed)


def _satisfied(check: Mapping[str, Any]) -> tuple[bool, str]:
    if not isinstance(check.get("satisfied"), bool):
        raise Unusable("a check does not say whether its criterion is satisfied")
    return check["satisfied"], _text(check, "reasoning")


def ranges_row(text: str, items: Sequence[Mapping[str, Any]]) -> ScoreRow:
    """The row of criteria with score ranges: the weighted mean of a tenth of their scores. Raises Unusable."""
    reply = object_of(text)
    _text(reply, "overall_reasoning", "")
    found = list(_judged(reply, items, _points))
    score = mean_of((points / TOP, weight_of(item.get("weight"))) for item, (points, _) in found)
    held = [points / TOP >= _gate(item) for item, (points, _) in found]
    checks = [
        Check(_title(item), holds and points >= MET, f"{points:g} of {TOP}. {reasoning}".strip())
        for (item, (points, reasoning)), holds in zip(found, held, strict=True)
    ]
    return _with_verdict(score, checks, not all(held))


def _points(check: Mapping[str, Any]) -> tuple[float, str]:
    points = as_number(check.get("score"))
    if points is None or not 0 <= points <= TOP or not points.is_integer():
        raise Unusable(f"the score of a criterion is no whole number from 0 to {TOP}")
    return points, _text(check, "reasoning", "")


def _gate(item: Mapping[str, Any]) -> float:
    """The share of the points that a criterion needs."""
    least = as_number(item.get("min_score"))
    return least if least is not None else float(item.get("required") is True)


def _judged(
    reply: Mapping[str, Any], items: Sequence[Mapping[str, Any]], read: Callable[[Mapping[str, Any]], Said]
) -> list[tuple[Mapping[str, Any], Said]]:
    """The criteria that a reply speaks of, each with what it says. Raises Unusable."""
    known = {str(item.get("id")): item for item in items}
    said = [(_text(check, "id"), read(check)) for check in _listed(reply, "checks")]
    return [(known[key], found) for key, found in said if key in known]


def _with_verdict(score: float, checks: Sequence[Check], is_failed: bool) -> ScoreRow:
    row = ScoreRow(score, tuple(checks))
    return replace(row, verdict=RowVerdict.FAIL if is_failed else verdict_of(score))


def _title(item: Mapping[str, Any]) -> str:
    return str(item.get("outcome") or item.get("id"))
