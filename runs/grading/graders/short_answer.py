"""short_answer: the answer meets one of the accepted ones (benchmark-pack 9.3)."""

from typing import Any

from packs.formats.answers import match_short
from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import finish
from runs.grading.graders.contract import Grade, Judgement, decided
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.unusable import unusable


def judge(text: str, accepted: Any, tolerance: Any) -> Judgement:
    """Judge an answer: within the tolerance as a number, equal in normal form, or holding an accepted one."""
    if not isinstance(accepted, list) or not accepted:
        return unusable("accepted_answers", "must be a list that is not empty")
    if tolerance is not None and (isinstance(tolerance, bool) or not isinstance(tolerance, int | float)):
        return unusable("tolerance", "must be a number")
    found = match_short(text, accepted, None if tolerance is None else float(tolerance))
    return decided(
        found is not None,
        "the answer meets none of the accepted ones" if text.strip() else "there is no answer",
        verifier="short_answer",
        candidate_answer=text.strip(),
        accepted_answer_count=len(accepted),
        matched_answer_index=found.index if found else None,
        match_strategy=found.strategy if found else None,
        tolerance=None if tolerance is None else float(tolerance),
    )


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    """Grade the final output; a missing one counts as an empty text (benchmark-pack 9.1)."""
    actual, config = evidence.resolve(spec.target), spec.config or {}
    return finish(spec, judge(actual.text or "", config.get("accepted_answers"), config.get("tolerance")), actual)
