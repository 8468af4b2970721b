"""Rules about the head of the evaluation spec: name, number, judge mode, limits (challenge-pack e, V1 to V5)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.schema.spec import JUDGE_MODES
from packs.formats.challenge_pack.values import evaluation_spec, mapping, number, one_of, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import exact_text

SPEC: Path = ("version", "evaluation_spec")
LIMITS = ("max_total_tokens", "max_cost_usd", "max_duration_ms")
MOST_ITERATIONS = 1000

NAME_MISSING = Rule("challenge_pack.E501", "The evaluation spec has no name.", "Name it, such as parcel-desk-v1.", "V1")
NUMBER_TOO_LOW = Rule(
    "challenge_pack.E502", "The version number of the evaluation spec must be 1 or more.", "Start with 1.", "V2"
)
JUDGE_MODE_UNKNOWN = Rule(
    "challenge_pack.E503",
    "The judge mode {mode!r} does not exist.",
    "Use one of: {allowed}; deterministic uses no judges.",
    "V3",
)
NO_VALIDATOR = Rule(
    "challenge_pack.E504",
    "The evaluation spec has no validator.",
    "Add at least one; every judge mode needs one.",
    "V4",
)
LIMIT_TOO_LOW = Rule("challenge_pack.E505", "The limit `{limit}` must be above 0.", "Raise it, or remove it.", "V5")
ITERATIONS_OUT_OF_RANGE = Rule(
    "challenge_pack.E506", "`max_iterations` must be between 1 and {most}.", "Change it, or remove it.", "V5"
)


def check_specification(pack: Document) -> Iterator[Finding]:
    """V1 to V5."""
    spec = evaluation_spec(pack)
    if not text(spec, "name"):
        yield NAME_MISSING.at((*SPEC, "name"))
    if (number(spec, "version_number") or 0) <= 0:
        yield NUMBER_TOO_LOW.at((*SPEC, "version_number"))
    mode = exact_text(spec, "judge_mode")
    if mode not in JUDGE_MODES:
        yield JUDGE_MODE_UNKNOWN.at((*SPEC, "judge_mode"), mode=mode, allowed=one_of(JUDGE_MODES))
    if not spec.get("validators"):
        yield NO_VALIDATOR.at((*SPEC, "validators"))
    yield from _check_limits(mapping(spec, "runtime_limits"))


def _check_limits(limits: Document) -> Iterator[Finding]:
    path = (*SPEC, "runtime_limits")
    for key in LIMITS:
        limit = number(limits, key)
        if limit is not None and limit <= 0:
            yield LIMIT_TOO_LOW.at((*path, key), limit=key)
    iterations = number(limits, "max_iterations")
    if iterations is not None and not 1 <= iterations <= MOST_ITERATIONS:
        yield ITERATIONS_OUT_OF_RANGE.at((*path, "max_iterations"), most=MOST_ITERATIONS)
