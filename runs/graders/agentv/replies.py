"""What judges' models reply, and what follows from it (agentv F.8)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from runs.graders.agentv.rows import Check, Row, RowVerdict, mapping, mean_of, verdict_of, weight_of
from runs.graders.values import as_number

# Of the checks that a free judgement lists, so many are kept.
MAX_CHECKS = 8
TOP = 10
# A criterion with score ranges is shown as met from here on.
MET = 7
_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
_TRUE = frozenset(("true", "yes", "pass", "passed", "1"))


class Unusable(ValueError):
    """A reply that does not have the wanted shape."""


def object_of(text: str) -> Mapping[str, Any]:
    """The JSON object of a reply: the whole text, what stands in a fence, or from the first brace to the last.

    Raises Unusable.
    """
    spans = [text, *(found[1] for found in _FENCED.finditer(text)), text[text.find("{") : text.rfind("}") + 1]]
    for span in spans:
        try:
            value = orjson.loads(span)
        except orjson.JSONDecodeError:
            continue
        if isinstance(value, dict):
            return value
    raise Unusable("it holds no JSON object")


def free_row(text: str) -> Row:
    """The row of a free judgement: a score from 0 to 1. Raises Unusable."""
    reply = object_of(text)
    score = as_number(reply.get("score"))
    if score is None or not 0 <= score <= 1:
        raise Unusable("its score is no number from 0 to 1")
    listed = reply.get("assertions")
    checks = [check for item in listed if (check := _check(item))] if isinstance(listed, list) else []
    details = reply.get("details")
    return Row(score, tuple(checks[:MAX_CHECKS]), details=details if isinstance(details, Mapping) else None)


def _check(item: Any) -> Check | None:
    stated = mapping(item)
    text, evidence = stated.get("text"), stated.get("evidence")
    if not isinstance(text, str) or not text:
        return None
    return Check(text, is_true(stated.get("passed")), evidence if isinstance(evidence, str) else "")


def is_true(value: Any) -> bool:
    """Whether a judge says yes, in whichever spelling."""
    return value.strip().lower() in _TRUE if isinstance(value, str) else value is True


def checklist_row(text: str, items: Sequence[Mapping[str, Any]]) -> Row:
    """The row of a checklist: the weight of the satisfied criteria in that of all that were judged. Raises Unusable."""
    found = [(item, _satisfied(item, check)) for item, check in _judged(text, items)]
    score = mean_of((float(check.passed), weight_of(item.get("weight"))) for item, check in found)
    is_failed = any(item.get("required") is True and not check.passed for item, check in found)
    return _with_verdict(score, [check for _, check in found], is_failed)


def _satisfied(item: Mapping[str, Any], check: Mapping[str, Any]) -> Check:
    return Check(_title(item), is_true(check.get("satisfied")), _reasoning(check))


def ranges_row(text: str, items: Sequence[Mapping[str, Any]]) -> Row:
    """The row of criteria with score ranges: the weighted mean of a tenth of their scores. Raises Unusable."""
    found = [(item, _score(check), _reasoning(check)) for item, check in _judged(text, items)]
    score = mean_of((points / TOP, weight_of(item.get("weight"))) for item, points, _ in found)
    held = [points / TOP >= _gate(item) for item, points, _ in found]
    checks = [
        Check(_title(item), holds and points >= MET, f"{points:g} of {TOP}. {reasoning}".strip())
        for (item, points, reasoning), holds in zip(found, held, strict=True)
    ]
    return _with_verdict(score, checks, not all(held))


def _score(check: Mapping[str, Any]) -> float:
    points = as_number(check.get("score"))
    if points is None or not 0 <= points <= TOP:
        raise Unusable(f"the score of a criterion is no number from 0 to {TOP}")
    return points


def _gate(item: Mapping[str, Any]) -> float:
    """The share of the points that a criterion needs."""
    least = as_number(item.get("min_score"))
    return least if least is not None else float(item.get("required") is True)


def _judged(text: str, items: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """The criteria that a reply speaks of, each with what it says. Raises Unusable."""
    listed = object_of(text).get("checks")
    if not isinstance(listed, list):
        raise Unusable("it has no list of checks")
    known = {str(item.get("id")): item for item in items}
    for check in map(mapping, listed):
        item = known.get(str(check.get("id")))
        if item is not None:
            yield item, check


def _with_verdict(score: float, checks: Sequence[Check], is_failed: bool) -> Row:
    row = Row(score, tuple(checks))
    return replace(row, verdict=RowVerdict.FAIL if is_failed else verdict_of(score))


def _title(item: Mapping[str, Any]) -> str:
    return str(item.get("outcome") or item.get("id"))


def _reasoning(check: Mapping[str, Any]) -> str:
    value = check.get("reasoning")
    return value if isinstance(value, str) else ""
