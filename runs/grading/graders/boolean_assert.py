"""boolean_assert: both texts read as booleans, and they are equal."""

from runs.grading.graders.comparison import by_texts
from runs.grading.graders.contract import Judgement, decided, evaluator_error, pack_error
from runs.grading.graders.texts import trim

_BOOLEANS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def compare(actual: str, expected: str) -> Judgement:
    found, wanted = (_BOOLEANS.get(trim(text).lower()) for text in (actual, expected))
    if found is None:
        return evaluator_error("the value is none of true, 1, yes, false, 0, no")
    if wanted is None:
        return pack_error("the expected value is none of true, 1, yes, false, 0, no")
    return decided(found is wanted, f"the value is {found}")


grade = by_texts(compare)
