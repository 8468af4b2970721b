"""exact_match: the texts are the same, byte for byte."""

from runs.grading.graders.comparison import by_texts
from runs.grading.graders.contract import Judgement, decided


def compare(actual: str, expected: str) -> Judgement:
    return decided(actual == expected, "the texts differ")


grade = by_texts(compare)
