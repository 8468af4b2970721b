"""json_schema: the target is JSON that is valid under the schema in the expected text (challenge-pack d.3)."""

from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import grade_pair
from runs.grading.graders.contract import Grade, Judgement
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.schemas import validate_text


def compare(actual: str, expected: str) -> Judgement:
    return validate_text(actual, expected)


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    return grade_pair(spec, evidence, compare)
