"""json_path_match: the target is JSON in which a path holds a value that meets the expectation (challenge-pack d.3)."""

from runs.grading.graders.comparison import by_texts
from runs.grading.graders.contract import Judgement, evaluator_error, pack_error
from runs.grading.graders.json_paths import BadPath, compare_at, read_expectation
from runs.grading.graders.values import parse_json


def compare(actual: str, expected: str) -> Judgement:
    try:
        document = parse_json(actual)
    except ValueError as error:
        return evaluator_error(f"the value is not JSON: {error}")
    try:
        expectation = read_expectation(expected)
    except BadPath as error:
        return pack_error(f"expected value: {error}")
    return compare_at(document, expectation)


grade = by_texts(compare)
