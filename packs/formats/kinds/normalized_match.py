"""normalized_match: the texts are equal after a pipeline of normalisation steps."""

from collections.abc import Iterator
from dataclasses import replace

from packs.formats.findings import Finding, Path, Rule
from packs.formats.kinds.contract import Gold, Kind, Settings, settings
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import Schema, items

STEPS = {
    "trim": "Remove outer blanks",
    "lowercase": "Ignore case",
    "collapse_whitespace": "Make every run of blanks one",
    "strip_punctuation": "Remove punctuation and symbols",
    "strip_currency": "Remove currency signs",
    "strip_formatting": "Remove commas, brackets and parentheses",
    "normalize_unicode": "Unify characters (NFKC)",
    "remove_articles": "Remove the words a, an, the",
    "sort_words": "Sort words",
    "sort_lines": "Sort lines",
}
STEP_UNKNOWN = Rule("challenge_pack.E559", "The step {step!r} does not exist.", "Use: {allowed}.", "F3")
PIPELINES_MIXED = Rule(
    "challenge_pack.E560",
    "`pipeline` and `normalizations` mean the same and are both given.",
    "Keep `pipeline` and remove the other.",
    "F3",
)


def check(stated: Settings, path: Path) -> Iterator[Finding]:
    """One pipeline of known steps."""
    if stated.get("pipeline") and stated.get("normalizations"):
        yield PIPELINES_MIXED.at(path)
        return
    key = "pipeline" if stated.get("pipeline") else "normalizations"
    for position, step in enumerate(stated.get(key, ())):
        if step not in STEPS:
            finding = STEP_UNKNOWN.at((*path, key, position), step=step, allowed=", ".join(STEPS))
            # The format reports the steps of the alias under the name of the pipeline, too.
            yield replace(finding, field=replace(finding, path=(*path, "pipeline", position)).field_path)


def _pipeline(title: str) -> Schema:
    step = {"type": "string", "enum": list(STEPS), "x-labels": STEPS}
    return items(title, step, "Steps in order; without them: trim, lowercase, collapse_whitespace.")


KIND = Kind(
    "Equal after tidying",
    Purpose.TEXT,
    "The texts are equal once blanks, case or punctuation are out of the way.",
    "` The  York hub.` for `york hub`",
    settings({"pipeline": _pipeline("Pipeline"), "normalizations": _pipeline("Pipeline (other name)")}),
    rule="F3",
    check=check,
    gold=Gold.WHOLE,
)
