"""Whether a rubric can be used, which the format finds out only when an answer is verified (benchmark-pack 6.5)."""

from dataclasses import dataclass
from typing import Any

from packs.formats.values import is_finite, is_texts


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong: the field as the format spells it, and the gist."""

    field: str
    gist: str


def rubric_trouble(rubric: Any) -> Trouble | None:
    """Why a rubric cannot verify anything; None for one that can."""
    if not isinstance(rubric, dict):
        return Trouble("rubric", "must be an object")
    if rubric.get("type", "contains_any") != "contains_any":
        return Trouble("rubric.type", "must be contains_any")
    if not is_texts(rubric.get("accepted_answers")):
        return Trouble("rubric.accepted_answers", "must be a list of texts that is not empty")
    rejected = rubric.get("rejected_answers")
    if rejected is not None and not is_texts(rejected):
        return Trouble("rubric.rejected_answers", "must be a list of texts that is not empty, or be left out")
    least = rubric.get("min_token_f1", 1.0)
    if not is_finite(least) or not 0 <= least <= 1:
        return Trouble("rubric.min_token_f1", "must be a number from 0 to 1")
    return None
