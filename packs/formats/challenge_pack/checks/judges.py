"""Rules about LLM judges (challenge-pack e, J1 to J17; d.7)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.values import (
    SPEC,
    entries,
    evaluation_spec,
    given,
    mapping,
    number,
    text,
)
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.syntaxes import schema_trouble

KEY_TAKEN = Rule(
    "challenge_pack.E702", "The key {key!r} already belongs to a {owner}.", "Choose a key that nothing else has.", "J1"
)
OUTPUT_SCHEMA_UNUSABLE = Rule(
    "challenge_pack.E718",
    "The output_schema is not a usable JSON Schema: {reason}",
    "Use draft 2020-12 or draft-07.",
    "J10",
)
SCALE_CROSSED = Rule(
    "challenge_pack.E720", "The score scale needs a min below its max.", "Write two numbers, such as 1 and 5.", "J12"
)


def check_judges(pack: Document) -> Iterator[Finding]:
    """J1, J10 and J12."""
    spec = evaluation_spec(pack)
    owners = _owners(spec)
    for position, judge in entries(spec, "llm_judges"):
        path, key = (*SPEC, "llm_judges", position), text(judge, "key")
        if key in owners:
            yield KEY_TAKEN.at((*path, "key"), key=key, owner=owners[key])
        elif key:
            owners[key] = "judge"
        if given(judge, "output_schema") and (reason := schema_trouble(judge["output_schema"])):
            yield OUTPUT_SCHEMA_UNUSABLE.at((*path, "output_schema"), reason=reason)
        scale = mapping(judge, "score_scale")
        if given(judge, "score_scale") and (number(scale, "min") or 0) >= (number(scale, "max") or 0):
            yield SCALE_CROSSED.at((*path, "score_scale"))


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
