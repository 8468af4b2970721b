"""Rubrics that verify an answer by its words (benchmark-pack 6.5)."""

from functools import cache
from typing import TYPE_CHECKING, Any

from packs.formats.findings import Finding, Rule
from packs.formats.later import Later
from packs.formats.schema.pieces import Schema, items, number, text

if TYPE_CHECKING:
    from packs.formats import structure
else:
    structure = Later("packs.formats.structure")

_TEXTS = "a list of texts that is not empty"
_ANSWER = text("Answer", pattern=r"\S", rules="advice")
RUBRIC: Schema = {
    "type": "object",
    "title": "Rubric",
    "properties": {
        "type": text("Type", const="contains_any", rules="advice"),
        "accepted_answers": items("Accepted answers", _ANSWER, minItems=1, expected=_TEXTS, rules="advice"),
        "rejected_answers": items(
            "Rejected answers", _ANSWER, minItems=1, null=True, expected=f"{_TEXTS}, or be left out", rules="advice"
        ),
        "min_token_f1": number(
            "Least word overlap",
            "From 0 to 1; 1 when absent.",
            minimum=0,
            maximum=1,
            default=1,
            expected="a number from 0 to 1",
            rules="advice",
        ),
    },
    "required": ["accepted_answers"],
    "x-rules": "advice",
}
# The format finds out only when an answer is verified.
NOT_VERIFIABLE = Rule(
    "benchmark_pack.W523",
    "No answer can be verified with this rubric: {where} must be {expected}.",
    hint="Give an object with `accepted_answers`.",
    rule="rubric-not-verifiable",
)


@cache
def _structure() -> "structure.Structure":
    return structure.Structure({"properties": {"rubric": RUBRIC}}, {"advice": NOT_VERIFIABLE})


def rubric_trouble(rubric: Any) -> Finding | None:
    """Why a rubric cannot verify anything, at its path below `rubric`; None for one that can."""
    return next(_structure().examine({"rubric": rubric}), None)
