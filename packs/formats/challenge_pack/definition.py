"""From an evaluation spec to the scoring definition (challenge-pack a.10 and d.8): trimmed, completed, expanded."""

from typing import Any

from packs.formats.document import Document
from packs.formats.task import Dimension, GraderSpec, JudgeSpec, Metric, Price, Scoring, Signal

DEFAULT_SAMPLES = 3
DEFAULT_SCALE = (1.0, 5.0)
DEFAULT_JUDGE_MS = 60_000
# Dimensions that a text can stand for, with their source (challenge-pack d.8).
BUILT_IN = {
    "correctness": "validators",
    "reliability": "reliability",
    "latency": "latency",
    "cost": "cost",
    "behavioral": "behavioral",
}
# Source to the names of its target and limit under `scorecard.normalization`, and of the budget that stands in.
_MEASURED = {
    "latency": ("target_ms", "max_ms", "max_duration_ms"),
    "cost": ("target_usd", "max_usd", "max_cost_usd"),
}
_JUDGE_TEXTS = {"rubric": "rubric", "reference": "rubric", "assertion": "assertion", "n_wise": "prompt"}


def compile_scoring(spec: Document) -> tuple[tuple[GraderSpec, ...], tuple[JudgeSpec, ...], Scoring]:
    """Graders, judges and scoring of an evaluation spec, which may be partial.

    Values of a wrong type count as absent.
    """
    graders = tuple(_grader(validator) for validator in _mappings(spec, "validators"))
    judges = tuple(_judge(judge) for judge in _mappings(spec, "llm_judges"))
    scorecard = _mapping(spec, "scorecard")
    scoring = Scoring(
        dimensions=tuple(_dimension(dimension, spec) for dimension in _dimensions(scorecard)),
        strategy=_text(scorecard, "strategy") or "weighted",
        pass_threshold=_number(scorecard, "pass_threshold"),
        metrics=tuple(_metric(metric) for metric in _mappings(spec, "metrics")),
        signals=tuple(_signal(signal) for signal in _mappings(_mapping(spec, "behavioral"), "signals")),
        prices=tuple(_price(price) for price in _mappings(_mapping(spec, "pricing"), "models")),
        judge_limits=_mapping(scorecard, "judge_limits"),
    )
    return graders, judges, scoring


def _text(document: Document, name: str) -> str:
    value = document.get(name)
    return value.strip() if isinstance(value, str) else ""


def _number(document: Document, name: str) -> float | None:
    value = document.get(name)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _mapping(document: Document, name: str) -> Document:
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def _mappings(document: Document, name: str) -> list[Document]:
    return [item for item in _list(document, name) if isinstance(item, dict)]


def _list(document: Document, name: str) -> list[Any]:
    value = document.get(name)
    return value if isinstance(value, list) else []


def _texts(document: Document, name: str) -> tuple[str, ...]:
    return tuple(item for item in _list(document, name) if isinstance(item, str))


def _grader(validator: Document) -> GraderSpec:
    return GraderSpec(
        key=_text(validator, "key"),
        kind=_text(validator, "type"),
        target=_text(validator, "target"),
        expected=_text(validator, "expected_from"),
        config=validator.get("config"),
    )


def _judge(judge: Document) -> JudgeSpec:
    mode = _text(judge, "mode")
    models = (_text(judge, "model"), *(model.strip() for model in _texts(judge, "models")))
    scale = _mapping(judge, "score_scale")
    lowest, highest = _number(scale, "min"), _number(scale, "max")
    prompt = judge.get(_JUDGE_TEXTS.get(mode, ""))
    return JudgeSpec(
        key=_text(judge, "key"),
        mode=mode,
        models=tuple(model for model in models if model),
        text=prompt if isinstance(prompt, str) else "",
        samples=int(_number(judge, "samples") or DEFAULT_SAMPLES),
        context=_texts(judge, "context_from"),
        reference=_text(judge, "reference_from"),
        scale_min=DEFAULT_SCALE[0] if lowest is None else lowest,
        scale_max=DEFAULT_SCALE[1] if highest is None else highest,
        expect=judge.get("expect") is not False,
        consensus=_mapping(judge, "consensus") or None,
        position_debiasing=judge.get("position_debiasing") is True,
        output_schema=_mapping(judge, "output_schema") or None,
        anti_gaming_clauses=_texts(judge, "anti_gaming_clauses"),
        timeout_seconds=(_number(judge, "timeout_ms") or DEFAULT_JUDGE_MS) / 1000,
    )


def _metric(metric: Document) -> Metric:
    return Metric(_text(metric, "key"), _text(metric, "type"), _text(metric, "collector"), _text(metric, "unit"))


def _signal(signal: Document) -> Signal:
    return Signal(
        key=_text(signal, "key"),
        weight=_number(signal, "weight") or 0.0,
        gate=signal.get("gate") is True,
        pass_threshold=_number(signal, "pass_threshold"),
    )


def _price(price: Document) -> Price:
    return Price(
        provider=_text(price, "provider_key"),
        model=_text(price, "provider_model_id"),
        input_per_million=_number(price, "input_cost_per_million_tokens") or 0.0,
        output_per_million=_number(price, "output_cost_per_million_tokens") or 0.0,
    )


def _dimensions(scorecard: Document) -> list[Document]:
    """The dimensions as mappings; a text stands for a ready-made one."""
    listed = _list(scorecard, "dimensions")
    return [{"key": item} if isinstance(item, str) else item for item in listed if isinstance(item, str | dict)]


def _dimension(dimension: Document, spec: Document) -> Dimension:
    key = _text(dimension, "key")
    source = _text(dimension, "source") or BUILT_IN.get(key, "")
    measure = _mapping(dimension, "normalization")
    target, maximum = _number(measure, "target"), _number(measure, "max")
    if source in _MEASURED and not measure:
        target, maximum = _measured_bounds(source, spec)
    weight = _number(dimension, "weight")
    return Dimension(
        key=key,
        source=source,
        graders=tuple(name.strip() for name in _texts(dimension, "validators")),
        metric=_text(dimension, "metric"),
        judge=_text(dimension, "judge_key"),
        better_direction=_text(dimension, "better_direction") or ("lower" if source in _MEASURED else "higher"),
        target=target,
        maximum=maximum,
        weight=1.0 if weight is None else weight,
        gate=dimension.get("gate") is True,
        pass_threshold=_number(dimension, "pass_threshold"),
    )


def _measured_bounds(source: str, spec: Document) -> tuple[float | None, float | None]:
    """Target and limit from the scorecard; the limit falls back to the budget, if the scorecard has the block."""
    blocks = _mapping(_mapping(spec, "scorecard"), "normalization")
    if not isinstance(blocks.get(source), dict):
        return None, None
    target, limit, budget = _MEASURED[source]
    maximum = _number(blocks[source], limit)
    if maximum is None:
        maximum = _number(_mapping(spec, "runtime_limits"), budget)
    return _number(blocks[source], target), maximum
