"""The parts of a scorecard as JSON: what pages, the API and exports show (challenge-pack h.6)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from packs.formats.kinds import KINDS
from packs.formats.task import Scoring
from runs.grading.graders.contract import Grade, State, Verdict
from runs.grading.graders.values import plain_json
from runs.grading.scoring.results import DimensionResult, JudgeResult, MetricResult, Ratio
from runs.grading.scoring.strategies import contributions, is_required

# Longer texts are shown cut; the events of the trial hold them whole.
MAX_SHOWN = 10_000

# The shape of the evidence of graders that challenge packs do not name; those that they do state their own.
_RAN_PROGRAMS = ("code_completion", "repo_patch", "terminal_task")

Json = dict[str, Any]


def grade_document(grade: Grade) -> Json:
    """The document of one grade."""
    return {
        "key": grade.key,
        "type": grade.kind,
        **present({"verdict": grade.verdict and grade.verdict.value}),
        "state": grade.state.value,
        "outcome_class": grade.outcome.value,
        **present(
            {
                "reason": grade.reason,
                "normalized_score": grade.score,
                "target": grade.target,
                "expected_from": grade.expected_from,
                "source": grade.source and grade.source.as_dict(),
                "evidence": _evidence(grade),
            }
        ),
    }


def _evidence(grade: Grade) -> Json:
    """What a grade rests on: the compared texts and what the grader found out on the way."""
    kind = "custom" if grade.kind in _RAN_PROGRAMS else "text_compare"
    if grade.kind in KINDS:
        kind = KINDS[grade.kind].evidence
    texts = {"actual": grade.actual, "expected": grade.expected}
    shown = {name: text[:MAX_SHOWN] for name, text in texts.items() if text is not None}
    cut = any(text is not None and len(text) > MAX_SHOWN for text in texts.values())
    found = {name: value if name == "row" else _shortened(value) for name, value in grade.raw.items()}
    if not shown and not found:
        return {}
    return {"kind": kind, **shown, **found, **({"truncated": True} if cut else {}), "source_field": grade.target}


def _shortened(value: Any) -> Any:
    """A value that fits: long texts are cut, and large lists and maps are shown as a cut text."""
    if isinstance(value, (dict, list)):
        text = plain_json(value)
        return value if len(text) <= MAX_SHOWN else text[:MAX_SHOWN]
    return value[:MAX_SHOWN] if isinstance(value, str) else value


def metric_document(result: MetricResult) -> Json:
    """The document of one metric: its value under a name that tells its type."""
    kind = {bool: "boolean_value", str: "text_value"}.get(type(result.value), "numeric_value")
    return {
        "key": result.metric.key,
        "collector": result.metric.collector,
        "state": result.state.value,
        **present({kind: result.value, "unit": result.metric.unit, "reason": result.reason}),
    }


def judge_document(judge: JudgeResult) -> Json:
    """The document of one judge."""
    return {
        "judge_key": judge.judge_key,
        "mode": judge.mode,
        **present({"normalized_score": judge.score, "confidence": judge.confidence, "variance": judge.variance}),
        "sample_count": judge.sample_count,
        "model_count": judge.model_count,
        **present({"reason": judge.reason, "payload": dict(judge.payload)}),
    }


def read_judge(document: Json) -> JudgeResult:
    """The judge that a document of `judge_document` tells of; its warnings stay behind."""
    return JudgeResult(
        judge_key=document["judge_key"],
        mode=document["mode"],
        score=document.get("normalized_score"),
        confidence=document.get("confidence", ""),
        variance=document.get("variance"),
        sample_count=document.get("sample_count", 0),
        model_count=document.get("model_count", 0),
        reason=document.get("reason", ""),
        payload=document.get("payload", {}),
    )


def dimension_documents(scoring: Scoring, results: Sequence[DimensionResult]) -> Json:
    """The documents of all dimensions by their keys."""
    shares = contributions(scoring, results)
    return {result.dimension.key: _dimension(scoring, result, shares) for result in results}


def _dimension(scoring: Scoring, result: DimensionResult, shares: Mapping[str, float]) -> Json:
    stated = result.dimension
    threshold = stated.pass_threshold
    judged = is_required(result, scoring.strategy) and result.score is not None and threshold is not None
    return {
        "state": result.state.value,
        **present({"score": result.score, "reason": result.reason}),
        "better_direction": stated.better_direction,
        "weight": stated.weight,
        **present({"gate": stated.gate or None, "pass_threshold": threshold}),
        **present({"contribution": shares.get(stated.key)}),
        **({"gate_passed": (result.score or 0.0) >= (threshold or 0.0)} if judged else {}),
    }


def grade_summary(grades: Sequence[Grade]) -> dict[str, int]:
    """How many grades there are of each state and verdict."""
    verdicts = Counter(grade.verdict for grade in grades)
    return state_summary([grade.state for grade in grades]) | {
        "pass": verdicts[Verdict.PASS],
        "fail": verdicts[Verdict.FAIL],
    }


def state_summary(states: Sequence[State]) -> dict[str, int]:
    """How many results there are of each state."""
    counted = Counter(states)
    return {"total": len(states), **{state.value: counted[state] for state in State}}


def ratio_document(ratio: Ratio) -> Json:
    """The document of a side metric."""
    state = State.UNAVAILABLE if ratio.value is None else State.AVAILABLE
    return {
        "state": state.value,
        **present({"value": ratio.value, "reason": ratio.reason}),
        "unit": ratio.unit,
        **present({"numerator": ratio.numerator, "denominator": ratio.denominator}),
    }


def present(members: Json) -> Json:
    """The members that say something: numbers and booleans always, texts and containers unless empty."""
    return {name: value for name, value in members.items() if value is not None and value not in ("", {}, [])}
