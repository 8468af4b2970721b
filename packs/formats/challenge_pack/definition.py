"""From an evaluation spec to the scoring definition (challenge-pack a.10 and d.8): trimmed, completed, expanded."""

from packs.formats.challenge_pack.schema.judges import JUDGE_TEXTS
from packs.formats.challenge_pack.values import (
    BUILT_IN,
    SHARED_NORMALIZATION,
    listing,
    mapping,
    number,
    text,
)
from packs.formats.document import Document
from packs.formats.task import Dimension, GraderSpec, JudgeSpec, Metric, Price, Scoring, Signal

DEFAULT_SAMPLES = 3
DEFAULT_SCALE = (1.0, 5.0)
DEFAULT_JUDGE_MS = 60_000


def compile_scoring(spec: Document) -> tuple[tuple[GraderSpec, ...], tuple[JudgeSpec, ...], Scoring]:
    """Graders, judges and scoring of an evaluation spec, which may be partial.

    Values of a wrong type count as absent.
    """
    graders = tuple(_grader(validator) for validator in _mappings(spec, "validators"))
    judges = tuple(_judge(judge) for judge in _mappings(spec, "llm_judges"))
    scorecard = mapping(spec, "scorecard")
    scoring = Scoring(
        dimensions=tuple(_dimension(dimension, spec) for dimension in _dimensions(scorecard)),
        strategy=text(scorecard, "strategy") or "weighted",
        pass_threshold=number(scorecard, "pass_threshold"),
        metrics=tuple(_metric(metric) for metric in _mappings(spec, "metrics")),
        signals=tuple(_signal(signal) for signal in _mappings(mapping(spec, "behavioral"), "signals")),
        prices=tuple(_price(price) for price in _mappings(mapping(spec, "pricing"), "models")),
        judge_limits=mapping(scorecard, "judge_limits"),
    )
    return graders, judges, scoring


def _mappings(document: Document, name: str) -> list[Document]:
    return [item for item in listing(document, name) if isinstance(item, dict)]


def _texts(document: Document, name: str) -> tuple[str, ...]:
    return tuple(item for item in listing(document, name) if isinstance(item, str))


def _grader(validator: Document) -> GraderSpec:
    return GraderSpec(
        key=text(validator, "key"),
        kind=text(validator, "type"),
        target=text(validator, "target"),
        expected=text(validator, "expected_from"),
        config=validator.get("config"),
    )


def _judge(judge: Document) -> JudgeSpec:
    mode = text(judge, "mode")
    models = (text(judge, "model"), *(model.strip() for model in _texts(judge, "models")))
    scale = mapping(judge, "score_scale")
    lowest, highest = number(scale, "min"), number(scale, "max")
    prompt = judge.get(JUDGE_TEXTS.get(mode, ""))
    return JudgeSpec(
        key=text(judge, "key"),
        mode=mode,
        models=tuple(model for model in models if model),
        text=prompt if isinstance(prompt, str) else "",
        samples=int(number(judge, "samples") or DEFAULT_SAMPLES),
        context=_texts(judge, "context_from"),
        reference=text(judge, "reference_from"),
        scale_min=DEFAULT_SCALE[0] if lowest is None else lowest,
        scale_max=DEFAULT_SCALE[1] if highest is None else highest,
        expect=judge.get("expect") is not False,
        consensus=mapping(judge, "consensus") or None,
        position_debiasing=judge.get("position_debiasing") is True,
        output_schema=mapping(judge, "output_schema") or None,
        anti_gaming_clauses=_texts(judge, "anti_gaming_clauses"),
        timeout_seconds=(number(judge, "timeout_ms") or DEFAULT_JUDGE_MS) / 1000,
    )


def _metric(metric: Document) -> Metric:
    return Metric(text(metric, "key"), text(metric, "type"), text(metric, "collector"), text(metric, "unit"))


def _signal(signal: Document) -> Signal:
    return Signal(
        key=text(signal, "key"),
        weight=number(signal, "weight") or 0.0,
        gate=signal.get("gate") is True,
        pass_threshold=number(signal, "pass_threshold"),
    )


def _price(price: Document) -> Price:
    return Price(
        provider=text(price, "provider_key"),
        model=text(price, "provider_model_id"),
        input_per_million=number(price, "input_cost_per_million_tokens") or 0.0,
        output_per_million=number(price, "output_cost_per_million_tokens") or 0.0,
    )


def _dimensions(scorecard: Document) -> list[Document]:
    """The dimensions as mappings; a text stands for a ready-made one."""
    listed = listing(scorecard, "dimensions")
    return [{"key": item} if isinstance(item, str) else item for item in listed if isinstance(item, str | dict)]


def _dimension(dimension: Document, spec: Document) -> Dimension:
    key = text(dimension, "key")
    source = text(dimension, "source") or BUILT_IN.get(key, "")
    measure = mapping(dimension, "normalization")
    target, maximum = number(measure, "target"), number(measure, "max")
    if source in SHARED_NORMALIZATION and not measure:
        target, maximum = _measured_bounds(source, spec)
    weight, usual = number(dimension, "weight"), "lower" if source in SHARED_NORMALIZATION else "higher"
    return Dimension(
        key=key,
        source=source,
        graders=tuple(name.strip() for name in _texts(dimension, "validators")),
        metric=text(dimension, "metric"),
        judge=text(dimension, "judge_key"),
        better_direction=text(dimension, "better_direction") or usual,
        target=target,
        maximum=maximum,
        weight=1.0 if weight is None else weight,
        gate=dimension.get("gate") is True,
        pass_threshold=number(dimension, "pass_threshold"),
    )


def _measured_bounds(source: str, spec: Document) -> tuple[float | None, float | None]:
    """Target and limit from the scorecard; the limit falls back to the budget, if the scorecard has the block."""
    blocks = mapping(mapping(spec, "scorecard"), "normalization")
    if not isinstance(blocks.get(source), dict):
        return None, None
    target, limit, budget = SHARED_NORMALIZATION[source]
    maximum = number(blocks[source], limit)
    if maximum is None:
        maximum = number(mapping(spec, "runtime_limits"), budget)
    return number(blocks[source], target), maximum
