"""Rules about LLM judges (challenge-pack e, J1 to J17; d.7)."""

import re
from collections.abc import Iterator

from packs.formats.challenge_pack.checks.specification import SPEC
from packs.formats.challenge_pack.evidence import FORMS, is_reference
from packs.formats.challenge_pack.schema.judges import AGGREGATIONS, MODES
from packs.formats.challenge_pack.values import (
    JUDGE_TEXTS,
    entries,
    evaluation_spec,
    given,
    listing,
    mapping,
    number,
    one_of,
    text,
    texts,
)
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.syntaxes import schema_trouble
from packs.formats.values import exact_text

MODEL_PREFIXES = ("claude-", "gpt-", "o1", "o3", "o4", "text-embedding", "gemini-", "grok-", "mistral-")
MOST_SAMPLES = 10

_SECRET = re.compile(r"\$\{\s*secrets\s*\.")

KEY_MISSING = Rule("challenge_pack.E701", "The judge has no key.", "Give it a short name of its own.", "J1")
KEY_TAKEN = Rule(
    "challenge_pack.E702", "The key {key!r} already belongs to a {owner}.", "Choose a key that nothing else has.", "J1"
)
MODE_UNKNOWN = Rule("challenge_pack.E703", "The judge mode {mode!r} does not exist.", "Use one of: {allowed}.", "J2")
TEXT_MISSING = Rule("challenge_pack.E704", "A judge of mode {mode} needs a {name}.", "Add `{name}`.", "J3")
REFERENCE_MISSING = Rule(
    "challenge_pack.E705",
    "A judge of mode reference needs something to compare with.",
    "Add `reference_from`, such as case.expectations.answer.",
    "J3",
)
REFERENCE_NO_REFERENCE = Rule(
    "challenge_pack.E706",
    "{reference!r} in reference_from is not an evidence reference.",
    "Known forms: {forms}.",
    "J3",
)
MODEL_MISSING = Rule("challenge_pack.E707", "The judge names no model.", "Add `model`, or `models` for several.", "J4")
MODELS_BOTH = Rule("challenge_pack.E708", "The judge states both `model` and `models`.", "Keep one of the two.", "J4")
MODEL_BLANK = Rule("challenge_pack.E709", "The list of models has an empty entry.", "Name a model, or remove it.", "J5")
PROVIDER_UNKNOWN = Rule(
    "challenge_pack.E710",
    "The model {model!r} does not name its provider.",
    "Begin it with claude-, gpt-, o1, o3, o4, gemini-, grok- or mistral-, or write provider/model.",
    "J5",
)
SAMPLES_OUT_OF_RANGE = Rule(
    "challenge_pack.E711", "`samples` must be between 0 and {most}.", "0 or nothing means three samples.", "J6"
)
CONSENSUS_MISSING = Rule(
    "challenge_pack.E712",
    "A judge with several models needs a rule that combines their scores.",
    "Add `consensus` with an aggregation.",
    "J7",
)
CONSENSUS_NOT_ALLOWED = Rule(
    "challenge_pack.E713", "`consensus` is only for a judge with several models.", "Remove it, or add models.", "J7"
)
AGGREGATION_UNKNOWN = Rule(
    "challenge_pack.E714", "The aggregation {aggregation!r} does not exist.", "Use one of: {allowed}.", "J8"
)
AGGREGATION_UNFIT = Rule(
    "challenge_pack.E715",
    "The aggregation {aggregation} does not fit a judge of mode {mode}.",
    "Assertions take majority_vote or unanimous; the other modes median, mean or unanimous.",
    "J8",
)
AGREEMENT_OUT_OF_RANGE = Rule(
    "challenge_pack.E716", "`min_agreement_threshold` must be between 0 and 1.", "Write a fraction.", "J8"
)
CONTEXT_NO_REFERENCE = Rule(
    "challenge_pack.E717",
    "{reference!r} in context_from is not an evidence reference.",
    "Known forms: {forms}; spaces around it count.",
    "J9",
)
OUTPUT_SCHEMA_UNUSABLE = Rule(
    "challenge_pack.E718",
    "The output_schema is not a usable JSON Schema: {reason}",
    "Use draft 2020-12 or draft-07.",
    "J10",
)
SECRET_IN_TEXT = Rule(
    "challenge_pack.E719",
    "The {name} would send a secret to the provider of the judge.",
    "Remove the `${{secrets.…}}` placeholder.",
    "J11",
)
SCALE_CROSSED = Rule(
    "challenge_pack.E720", "The score scale needs a min below its max.", "Write two numbers, such as 1 and 5.", "J12"
)
TIMEOUT_TOO_LOW = Rule(
    "challenge_pack.E721", "`timeout_ms` must be above 0.", "Raise it, or remove it for 60 seconds.", "J13"
)
LIMIT_OUT_OF_RANGE = Rule(
    "challenge_pack.E722", "The judge limit `{limit}` must be {bounds}.", "Change it; 0 means no limit.", "J14"
)
JUDGES_NOT_ALLOWED = Rule(
    "challenge_pack.E723",
    "A deterministic spec has no judges.",
    "Set `judge_mode` to hybrid, or remove the judges.",
    "J15",
)
JUDGES_MISSING = Rule(
    "challenge_pack.E724", "The judge mode llm_judge needs a judge.", "Add one, or set it to deterministic.", "J16"
)
JUDGES_MISSING_IN_HYBRID = Rule(
    "challenge_pack.E725", "The judge mode hybrid needs a judge.", "Add one, or set it to deterministic.", "J17"
)


def check_judges(pack: Document) -> Iterator[Finding]:
    """J1 to J17."""
    spec = evaluation_spec(pack)
    yield from _check_presence(spec)
    owners = _owners(spec)
    for position, judge in entries(spec, "llm_judges"):
        path, key = (*SPEC, "llm_judges", position), text(judge, "key")
        if not key:
            yield KEY_MISSING.at((*path, "key"))
        elif key in owners:
            yield KEY_TAKEN.at((*path, "key"), key=key, owner=owners[key])
        else:
            owners[key] = "judge"
            yield from _check_judge(judge, path)
    yield from _check_limits(mapping(mapping(spec, "scorecard"), "judge_limits"))


def judge_keys(spec: Document) -> set[str]:
    """The judges that a dimension may name: those with a key that nothing else has."""
    owners, keys = _owners(spec), set[str]()
    for _, judge in entries(spec, "llm_judges"):
        key = text(judge, "key")
        if key and key not in owners:
            keys.add(key)
    return keys


def _owners(spec: Document) -> dict[str, str]:
    metrics = {text(metric, "key"): "metric" for _, metric in entries(spec, "metrics")}
    validators = {text(validator, "key"): "validator" for _, validator in entries(spec, "validators")}
    return {key: owner for key, owner in (metrics | validators).items() if key}


def _check_presence(spec: Document) -> Iterator[Finding]:
    mode, path = exact_text(spec, "judge_mode"), (*SPEC, "llm_judges")
    if mode == "deterministic" and spec.get("llm_judges"):
        yield JUDGES_NOT_ALLOWED.at(path)
    if mode == "llm_judge" and not spec.get("llm_judges"):
        yield JUDGES_MISSING.at(path)
    if mode == "hybrid" and not spec.get("llm_judges"):
        yield JUDGES_MISSING_IN_HYBRID.at(path)


def _check_judge(judge: Document, path: Path) -> Iterator[Finding]:
    mode = exact_text(judge, "mode")
    if mode not in MODES:
        yield MODE_UNKNOWN.at((*path, "mode"), mode=mode, allowed=one_of(MODES))
        return
    yield from _check_texts(judge, mode, path)
    yield from _check_models(judge, path)
    yield from _check_consensus(judge, mode, path)
    for position, reference in texts(judge, "context_from"):
        if not is_reference(reference):
            yield CONTEXT_NO_REFERENCE.at((*path, "context_from", position), reference=reference, forms=FORMS)
    if given(judge, "output_schema") and (reason := schema_trouble(judge["output_schema"])):
        yield OUTPUT_SCHEMA_UNUSABLE.at((*path, "output_schema"), reason=reason)
    yield from _check_numbers(judge, path)


def _check_texts(judge: Document, mode: str, path: Path) -> Iterator[Finding]:
    if not text(judge, JUDGE_TEXTS[mode]):
        yield TEXT_MISSING.at((*path, JUDGE_TEXTS[mode]), mode=mode, name=JUDGE_TEXTS[mode])
    reference = text(judge, "reference_from")
    if mode == "reference" and not reference:
        yield REFERENCE_MISSING.at((*path, "reference_from"))
    elif mode == "reference" and not is_reference(reference):
        yield REFERENCE_NO_REFERENCE.at((*path, "reference_from"), reference=reference, forms=FORMS)
    for field in dict.fromkeys(JUDGE_TEXTS.values()):
        if _SECRET.search(exact_text(judge, field)):
            yield SECRET_IN_TEXT.at((*path, field), name=field)


def _check_models(judge: Document, path: Path) -> Iterator[Finding]:
    model = text(judge, "model")
    if model and listing(judge, "models"):
        yield MODELS_BOTH.at((*path, "models"))
    elif model:
        yield from _check_provider(model, (*path, "model"))
    elif not listing(judge, "models"):
        yield MODEL_MISSING.at((*path, "model"))
    else:
        for position, entry in texts(judge, "models"):
            yield from _check_provider(entry.strip(), (*path, "models", position))


def _check_provider(model: str, path: Path) -> Iterator[Finding]:
    if not model:
        yield MODEL_BLANK.at(path)
    elif not (model.lower().startswith(MODEL_PREFIXES) or "/" in model):
        yield PROVIDER_UNKNOWN.at(path, model=model)


def _check_consensus(judge: Document, mode: str, path: Path) -> Iterator[Finding]:
    several, place = len(listing(judge, "models")) > 1, (*path, "consensus")
    if not given(judge, "consensus"):
        if several:
            yield CONSENSUS_MISSING.at(place)
    elif not several:
        yield CONSENSUS_NOT_ALLOWED.at(place)
    else:
        yield from _check_aggregation(mapping(judge, "consensus"), mode, place)


def _check_aggregation(consensus: Document, mode: str, path: Path) -> Iterator[Finding]:
    aggregation = exact_text(consensus, "aggregation")
    if aggregation not in AGGREGATIONS:
        place = (*path, "aggregation")
        yield AGGREGATION_UNKNOWN.at(place, aggregation=aggregation, allowed=one_of(AGGREGATIONS))
        return
    unfit = ("median", "mean") if mode == "assertion" else ("majority_vote",)
    if aggregation in unfit:
        yield AGGREGATION_UNFIT.at((*path, "aggregation"), aggregation=aggregation, mode=mode)
    if not 0 <= (number(consensus, "min_agreement_threshold") or 0) <= 1:
        yield AGREEMENT_OUT_OF_RANGE.at((*path, "min_agreement_threshold"))


def _check_numbers(judge: Document, path: Path) -> Iterator[Finding]:
    if not 0 <= (number(judge, "samples") or 0) <= MOST_SAMPLES:
        yield SAMPLES_OUT_OF_RANGE.at((*path, "samples"), most=MOST_SAMPLES)
    scale = mapping(judge, "score_scale")
    if given(judge, "score_scale") and (number(scale, "min") or 0) >= (number(scale, "max") or 0):
        yield SCALE_CROSSED.at((*path, "score_scale"))
    timeout = number(judge, "timeout_ms")
    if timeout is not None and timeout <= 0:
        yield TIMEOUT_TOO_LOW.at((*path, "timeout_ms"))


def _check_limits(limits: Document) -> Iterator[Finding]:
    path = (*SPEC, "scorecard", "judge_limits")
    if not 0 <= (number(limits, "max_samples_per_judge") or 0) <= MOST_SAMPLES:
        bounds = f"between 0 and {MOST_SAMPLES}"
        yield LIMIT_OUT_OF_RANGE.at((*path, "max_samples_per_judge"), limit="max_samples_per_judge", bounds=bounds)
    for key in ("max_calls_usd", "max_tokens"):
        if (number(limits, key) or 0) < 0:
            yield LIMIT_OUT_OF_RANGE.at((*path, key), limit=key, bounds="0 or more")
