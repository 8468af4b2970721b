"""regex_match: the expected text is a pattern of the RE2 dialect that is found somewhere in the target."""

from packs.formats.task import GraderSpec
from runs.graders.comparison import grade_pair
from runs.graders.contract import Grade, Judgement, decided, pack_error
from runs.graders.evidence import Evidence
from runs.graders.patterns import BadPattern, is_found


def compare(actual: str, expected: str) -> Judgement:
    try:
        found = is_found(expected, actual)
    except BadPattern as error:
        return pack_error(f"the pattern cannot be used: {error}", pattern=expected)
    return decided(found, "the pattern is not found", pattern=expected, matched=found)


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    return grade_pair(spec, evidence, compare)
