"""Reading the replies of judge models: JSON, also when fenced or embedded in text (challenge-pack d.7)."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from packs.formats.task import JudgeSpec
from runs.grading.graders.contract import Verdict
from runs.grading.graders.schemas import validate_text
from runs.grading.graders.values import TooDeep, as_number, plain_json

MAX_REPLY = 200_000
# How many opening braces of a text are tried as the start of an object.
MAX_STARTS = 50

_DECODER = json.JSONDecoder()
_VERDICTS = {"pass": True, "true": True, "yes": True, "fail": False, "false": False, "no": False}
_WANTED = frozenset({"score", "winner", "pass", "verdict", "ranking", "ranked_ids", "unable_to_judge"})


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """One sample: the text that a model gave, or the error that asking it ended with."""

    model: str
    text: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Vote:
    """What one reply says: a score of 0 to 1, or None with the reason why it says nothing usable."""

    model: str
    score: float | None
    reason: str = ""
    confidence: str = ""

    def as_dict(self) -> dict[str, Any]:
        shape = {"model": self.model, "score": self.score, "reason": self.reason, "confidence": self.confidence}
        return {name: value for name, value in shape.items() if value not in (None, "")}


def read_object(text: str) -> dict[str, Any] | None:
    """The JSON object in a reply, alone, in a fence or embedded; None when there is none."""
    text = text[:MAX_REPLY].strip()
    first = None
    for candidate in _objects(text):
        if _WANTED & candidate.keys():
            return candidate
        first = first or candidate
    return first


def _objects(text: str) -> Iterator[dict[str, Any]]:
    start = text.find("{")
    for _ in range(MAX_STARTS):
        if start < 0:
            return
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield value
        start = text.find("{", end)


def read_reply(judge: JudgeSpec, reply: JudgeReply) -> Vote:
    """The vote in the reply of a rubric, reference or assertion judge."""
    stated, reason = usable_object(judge, reply)
    if stated is None:
        return Vote(reply.model, None, reason)
    score = _SCORES.get(judge.mode, _scale_score)(judge, stated)
    if score is None:
        return Vote(reply.model, None, "the reply states no usable score")
    return Vote(reply.model, score, reasoning_of(stated), confidence_of(stated))


def usable_object(judge: JudgeSpec, reply: JudgeReply) -> tuple[dict[str, Any] | None, str]:
    """The object of a reply, or None with the reason why it cannot be used."""
    if reply.error:
        return None, reply.error
    stated = read_object(reply.text)
    if stated is None:
        return None, "the reply holds no JSON object"
    if stated.get("unable_to_judge") is True:
        return None, f"the judge abstained: {stated.get('reason') or reasoning_of(stated)}"
    if judge.output_schema is not None and not _is_valid(stated, judge.output_schema):
        return None, "the reply is not valid under the judge's output schema"
    return stated, ""


def _is_valid(stated: dict[str, Any], schema: Mapping[str, Any]) -> bool:
    try:
        return validate_text(plain_json(stated), plain_json(schema)).verdict is Verdict.PASS
    except TooDeep:
        return False


def _assertion_score(judge: JudgeSpec, stated: Mapping[str, Any]) -> float | None:
    """1 for a pass and 0 for a fail, turned round when the assertion is expected not to hold."""
    verdict = _truth(stated.get("verdict"))
    passes = _truth(stated.get("pass")) if verdict is None else verdict
    return None if passes is None else float(passes is judge.expect)


def _truth(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return _VERDICTS.get(value.strip().lower()) if isinstance(value, str) else None


def _scale_score(judge: JudgeSpec, stated: Mapping[str, Any]) -> float | None:
    """The score clamped to the judge's scale and mapped to 0 to 1."""
    score = as_number(stated.get("score"))
    low, high = judge.scale_min, judge.scale_max
    if score is None or not math.isfinite(score) or not low < high:
        return None
    return (min(max(score, low), high) - low) / (high - low)


def _pair_score(judge: JudgeSpec, stated: Mapping[str, Any]) -> float | None:
    """1 where the judged answer wins, 0.5 for a tie, 0 where the reference does."""
    winner = str(stated.get("winner", "")).strip().lower()
    own, other = ("b", "a") if judge.reference_first else ("a", "b")
    return {own: 1.0, "tie": 0.5, other: 0.0}.get(winner)


_SCORES = {"assertion": _assertion_score, "pairwise": _pair_score}


def confidence_of(stated: Mapping[str, Any]) -> str:
    value = stated.get("confidence")
    word = value.strip().lower() if isinstance(value, str) else ""
    return word if word in ("high", "medium", "low") else ""


def reasoning_of(stated: Mapping[str, Any]) -> str:
    reasoning = stated.get("reasoning")
    return reasoning.strip()[:2000] if isinstance(reasoning, str) else ""
