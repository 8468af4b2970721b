"""contains: the expected text occurs in the target; an empty one always does."""

from runs.grading.graders.comparison import by_texts
from runs.grading.graders.contract import Judgement, decided


def compare(actual: str, expected: str) -> Judgement:
    return decided(expected in actual, "the expected text does not occur")


grade = by_texts(compare)
