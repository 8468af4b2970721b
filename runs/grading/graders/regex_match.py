"""regex_match: the expected text is a pattern of the RE2 dialect that is found somewhere in the target."""

from packs.formats.patterns import PatternTrouble, compile_pattern
from runs.grading.graders.comparison import by_texts
from runs.grading.graders.contract import Judgement, decided, pack_error


def compare(actual: str, expected: str) -> Judgement:
    pattern = compile_pattern(expected)
    if isinstance(pattern, PatternTrouble):
        return pack_error(f"the pattern cannot be used: {pattern.message} {pattern.hint}".rstrip(), pattern=expected)
    found = pattern.is_found(actual)
    return decided(found, "the pattern is not found", pattern=expected, matched=found)


grade = by_texts(compare)
