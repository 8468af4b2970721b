"""contains: the expected text occurs in the target; an empty one always does."""

from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import grade_pair
from runs.grading.graders.contract import Grade, Judgement, decided
from runs.grading.graders.evidence import Evidence


def compare(actual: str, expected: str) -> Judgement:
    return decided(expected in actual, "the expected text does not occur")


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    return grade_pair(spec, evidence, compare)
