"""free_response: the answer holds an accepted one, or enough of its words, and no rejected one (benchmark-pack 9.4)."""

from typing import Any

from packs.formats.answers import match_response
from packs.formats.rubrics import rubric_trouble
from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import finish
from runs.grading.graders.contract import Grade, Judgement, decided, pack_error
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.unusable import CONFIG_ERROR


def judge(text: str, rubric: Any) -> Judgement:
    """Judge an answer by a rubric; one that cannot be used is its author's mistake."""
    trouble = rubric_trouble(rubric)
    if trouble:
        return pack_error(trouble.message, error_type=CONFIG_ERROR, field=trouble.field_path)
    accepted, rejected = rubric["accepted_answers"], rubric.get("rejected_answers") or []
    least = float(rubric.get("min_token_f1", 1.0))
    found = match_response(text, accepted, rejected, least)
    missed = "a rejected answer was given" if found.rejected is not None else "no accepted answer was given"
    return decided(
        found.passes,
        missed,
        verifier="free_response",
        rubric_type=rubric.get("type", "contains_any"),
        candidate_answer=text.strip(),
        accepted_answer_count=len(accepted),
        rejected_answer_count=len(rejected),
        matched_answer_index=found.matched,
        rejected_answer_index=found.rejected,
        accepted_token_f1=found.accepted_overlap,
        rejected_token_f1=found.rejected_overlap,
        min_token_f1=least,
    )


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    """Grade the final output; a missing one counts as an empty text (benchmark-pack 9.1)."""
    actual = evidence.resolve(spec.target)
    return finish(spec, judge(actual.text or "", (spec.config or {}).get("rubric")), actual)
