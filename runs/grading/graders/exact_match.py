"""exact_match: the texts are the same, byte for byte."""

from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import grade_pair
from runs.grading.graders.contract import Grade, Judgement, decided
from runs.grading.graders.evidence import Evidence


def compare(actual: str, expected: str) -> Judgement:
    return decided(actual == expected, "the texts differ")


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    return grade_pair(spec, evidence, compare)
