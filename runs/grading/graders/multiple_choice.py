"""multiple_choice: the answer can be read as one of the right choices (benchmark-pack 9.2)."""

from typing import Any

from packs.formats.answers import MAX_CHOICES, candidate_values, expected_values
from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import finish
from runs.grading.graders.contract import Grade, Judgement, decided
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.unusable import unusable


def judge(text: str, choices: Any, answer: Any) -> Judgement:
    """Judge an answer against the choices; a question that nobody can pass is its author's mistake."""
    if not isinstance(choices, list) or not choices or not all(isinstance(choice, str) for choice in choices):
        return unusable("choices", "must be a list of texts that is not empty")
    if len(choices) > MAX_CHOICES:
        return unusable("choices", f"must be at most {MAX_CHOICES}")
    choices = [choice.strip() for choice in choices]
    expected = expected_values(answer, choices)
    if not expected:
        return unusable("answer", "matches no choice")
    met = expected & candidate_values(text, len(choices))
    reason = "the answer is none of the right choices" if text.strip() else "there is no answer"
    return decided(bool(met), reason, candidate_answer=text.strip(), verifier="multiple_choice")


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    """Grade the final output; a missing one counts as an empty text (benchmark-pack 9.1)."""
    actual, config = evidence.resolve(spec.target), spec.config or {}
    return finish(spec, judge(actual.text or "", config.get("choices"), config.get("answer")), actual)
