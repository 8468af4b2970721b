"""regex_match: the expected text is a pattern of the RE2 dialect that is found somewhere in the target."""

from packs.formats.patterns import PatternTrouble, compile_pattern
from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import grade_pair
from runs.grading.graders.contract import Grade, Judgement, decided, pack_error
from runs.grading.graders.evidence import Evidence


def compare(actual: str, expected: str) -> Judgement:
    pattern = compile_pattern(expected)
    if isinstance(pattern, PatternTrouble):
        return pack_error(f"the pattern cannot be used: {pattern.message} {pattern.hint}".rstrip(), pattern=expected)
    found = pattern.is_found(actual)
    return decided(found, "the pattern is not found", pattern=expected, matched=found)


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    return grade_pair(spec, evidence, compare)
