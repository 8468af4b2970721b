"""postcondition: a condition on a captured file, or on another value, holds after the run (challenge-pack d.3)."""

from collections.abc import Callable
from typing import Any

from packs.formats.kinds import Settings
from packs.formats.kinds.postcondition import EXISTENCE
from packs.formats.kinds.settings import BadSettings
from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import finish, guarded, settings_of
from runs.grading.graders.contract import Grade, Judgement, Resolved, decided, evaluator_error, pack_error, unavailable
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.json_paths import Expectation, compare_at
from runs.grading.graders.regex_match import compare as compare_regex
from runs.grading.graders.values import TooDeep, json_same, parse_json, plain_json

Condition = Callable[[str], Judgement]


def _stored(settings: Settings) -> Any:
    """The value as it is stored in JSON, where 2.0 is 2."""
    try:
        return parse_json(plain_json(settings["value"]))
    except TooDeep as error:
        raise BadSettings("config.value is nested too deeply") from error


def _contains(settings: Settings) -> Condition:
    wanted = settings["value"]
    return lambda actual: decided(wanted in actual, "the text does not occur")


def _not_contains(settings: Settings) -> Condition:
    forbidden = settings["value"]
    return lambda actual: decided(forbidden not in actual, "the forbidden text occurs")


def _regex_match(settings: Settings) -> Condition:
    pattern = settings["value"]
    return lambda actual: compare_regex(actual, pattern)


def _equals(settings: Settings) -> Condition:
    wanted = _stored(settings)
    if isinstance(wanted, str):
        return lambda actual: decided(actual == wanted, "the texts differ")
    return lambda actual: decided(json_same(parse_json(actual), wanted), "the JSON values differ")


def _json_path_match(settings: Settings) -> Condition:
    expectation = Expectation(settings["json_path"], "equals", _stored(settings))
    return lambda actual: compare_at(parse_json(actual), expectation)


_CONDITIONS: dict[str, Callable[[Settings], Condition]] = {
    "contains": _contains,
    "not_contains": _not_contains,
    "regex_match": _regex_match,
    "equals": _equals,
    "json_path_match": _json_path_match,
}


def _judge(spec: GraderSpec, evidence: Evidence, actual: Resolved) -> Judgement:
    settings = settings_of(spec)
    condition = settings["condition"]
    if condition in EXISTENCE:
        return _existence(condition, actual, evidence.is_missing_file(spec.target))
    holds = _CONDITIONS[condition](settings)
    if actual.text is None:
        return unavailable(actual.reason)
    try:
        return holds(actual.text)
    except ValueError as error:
        return evaluator_error(f"the value is not JSON: {error}")


def _existence(condition: str, actual: Resolved, is_missing: bool) -> Judgement:
    if actual.text is None and not is_missing:
        return unavailable(actual.reason)
    exists = actual.text is not None
    return decided(exists is (condition == "exists"), "it is there" if exists else "it is not there", exists=exists)


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    actual = evidence.resolve(spec.target)
    if actual.malformed:
        return finish(spec, pack_error(actual.reason))
    return finish(spec, guarded(lambda: _judge(spec, evidence, actual)), actual)
