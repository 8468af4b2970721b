"""file_content_match: the content of a captured file matches the expected text in one of five ways."""

from collections.abc import Callable

from packs.formats.kinds import Settings
from runs.grading.graders.comparison import by_settings
from runs.grading.graders.contract import Judgement, decided, evaluator_error, pack_error
from runs.grading.graders.regex_match import compare as compare_regex
from runs.grading.graders.texts import collapse_blanks
from runs.grading.graders.values import json_equal, parse_json


def _contains(actual: str, expected: str) -> Judgement:
    return decided(expected in actual, "the expected text does not occur")


def _not_contains(actual: str, expected: str) -> Judgement:
    return decided(expected not in actual, "the forbidden text occurs")


def _exact(actual: str, expected: str) -> Judgement:
    return decided(actual == expected, "the texts differ")


def _json_equal(actual: str, expected: str) -> Judgement:
    try:
        found = parse_json(actual)
    except ValueError as error:
        return evaluator_error(f"the file is not JSON: {error}")
    try:
        wanted = parse_json(expected)
    except ValueError as error:
        return pack_error(f"the expected value is not JSON: {error}")
    return decided(json_equal(found, wanted), "the JSON values differ")


_TEXT_MODES: dict[str, Callable[[str, str], Judgement]] = {
    "contains": _contains,
    "exact": _exact,
    "not_contains": _not_contains,
}
_RAW_MODES: dict[str, Callable[[str, str], Judgement]] = {"regex": compare_regex, "json_equal": _json_equal}


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    mode = settings["match_mode"]
    if mode in _RAW_MODES:
        return _RAW_MODES[mode](actual, expected)
    if settings["ignore_whitespace"]:
        actual, expected = collapse_blanks(actual), collapse_blanks(expected)
    return _TEXT_MODES[mode](actual, expected)


grade = by_settings(compare)
