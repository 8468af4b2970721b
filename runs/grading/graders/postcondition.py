"""postcondition: a condition on a captured file, or on another value, holds after the run (challenge-pack d.3)."""

from collections.abc import Callable
from typing import Any

from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import finish, guarded
from runs.grading.graders.contract import Grade, Judgement, Resolved, decided, evaluator_error, pack_error, unavailable
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.json_paths import Expectation, compare_at
from runs.grading.graders.regex_match import compare as compare_regex
from runs.grading.graders.settings import BadSettings, Settings
from runs.grading.graders.texts import trim
from runs.grading.graders.values import TooDeep, json_same, parse_json, plain_json

SETTINGS = ("condition", "value", "json_path")


Condition = Callable[[str], Judgement]


def _text(settings: Settings) -> str:
    value = settings.value("value")
    if not isinstance(value, str):
        raise BadSettings("config.value must be text")
    return value


def _stored(settings: Settings) -> Any:
    """The value as it is stored in JSON, where 2.0 is 2."""
    if not settings.has("value"):
        raise BadSettings("config.value is required")
    try:
        return parse_json(plain_json(settings.value("value")))
    except TooDeep as error:
        raise BadSettings("config.value is nested too deeply") from error


def _contains(settings: Settings) -> Condition:
    wanted = _text(settings)
    return lambda actual: decided(wanted in actual, "the text does not occur")


def _not_contains(settings: Settings) -> Condition:
    forbidden = _text(settings)
    return lambda actual: decided(forbidden not in actual, "the forbidden text occurs")


def _regex_match(settings: Settings) -> Condition:
    pattern = _text(settings)
    return lambda actual: compare_regex(actual, pattern)


def _equals(settings: Settings) -> Condition:
    wanted = _stored(settings)
    if isinstance(wanted, str):
        return lambda actual: decided(actual == wanted, "the texts differ")
    return lambda actual: decided(json_same(parse_json(actual), wanted), "the JSON values differ")


def _json_path_match(settings: Settings) -> Condition:
    path = trim(settings.text("json_path"))
    if not path:
        raise BadSettings("config.json_path is required")
    expectation = Expectation(path, "equals", _stored(settings))
    return lambda actual: compare_at(parse_json(actual), expectation)


_CONDITIONS: dict[str, Callable[[Settings], Condition]] = {
    "contains": _contains,
    "not_contains": _not_contains,
    "regex_match": _regex_match,
    "equals": _equals,
    "json_path_match": _json_path_match,
}


def _judge(spec: GraderSpec, evidence: Evidence, actual: Resolved) -> Judgement:
    settings = Settings(spec.config, SETTINGS)
    condition = trim(settings.text("condition"))
    if condition in ("exists", "not_exists"):
        return _existence(condition, settings, actual, evidence.is_missing_file(spec.target))
    if condition not in _CONDITIONS:
        raise BadSettings(f"unknown condition {condition!r}" if condition else "config.condition is required")
    holds = _CONDITIONS[condition](settings)
    if actual.text is None:
        return unavailable(actual.reason)
    try:
        return holds(actual.text)
    except ValueError as error:
        return evaluator_error(f"the value is not JSON: {error}")


def _existence(condition: str, settings: Settings, actual: Resolved, is_missing: bool) -> Judgement:
    if settings.has("value") or settings.text("json_path"):
        raise BadSettings(f"config must give neither value nor json_path with {condition}")
    if actual.text is None and not is_missing:
        return unavailable(actual.reason)
    exists = actual.text is not None
    return decided(exists is (condition == "exists"), "it is there" if exists else "it is not there", exists=exists)


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    actual = evidence.resolve(spec.target)
    if actual.malformed:
        return finish(spec, pack_error(actual.reason))
    return finish(spec, guarded(lambda: _judge(spec, evidence, actual)), actual)
