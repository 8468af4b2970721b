"""suite.string_match and suite.json_schema: what stands in the final message or a file."""

from typing import Any

import orjson

from packs.formats.patterns import Pattern, compile_pattern
from packs.formats.schema import SchemaTrouble, compile_schema
from runs.grading.graders.contract import Judgement
from runs.grading.graders.suite.scene import Check, Misconfigured, Trial, described, grade_with, judged
from runs.grading.graders.values import parse_json


def match_strings(trial: Trial) -> Judgement:
    """Any or all of the patterns stand in the target; the score is the share of those that do."""
    text, patterns = trial.target(), trial.texts("patterns")
    if not patterns:
        raise Misconfigured("the grader has no patterns")
    checks = [Check(pattern[:80], is_found(pattern, text, trial)) for pattern in patterns]
    found = sum(check.passed for check in checks)
    passes = found == len(checks) if trial.grader.get("mode", "any") == "all" else found > 0
    return judged(passes, found / len(checks), described([check for check in checks if not check.passed]), checks)


def is_found(pattern: str, text: str, trial: Trial) -> bool:
    """Whether a text, or a regular expression, is found. Raises Misconfigured."""
    is_exact = trial.grader.get("case_sensitive", True) is not False
    if trial.grader.get("regex") is True:
        return pattern_of(pattern, is_exact).is_found(text)
    return pattern in text if is_exact else pattern.casefold() in text.casefold()


def pattern_of(source: str, case_sensitive: bool = True) -> Pattern:
    """A regular expression. Raises Misconfigured for what is none."""
    found = compile_pattern(source, case_sensitive)
    if not isinstance(found, Pattern):
        raise Misconfigured(f"{source[:80]!r} is no regular expression: {found.message}")
    return found


def match_schema(trial: Trial) -> Judgement:
    """The target is JSON that keeps to the schema."""
    check = compile_schema(_schema(trial))
    if isinstance(check, SchemaTrouble):
        raise Misconfigured(f"the schema cannot be used: {check.message}")
    try:
        value: Any = parse_json(trial.target())
    except ValueError as error:
        return judged(False, 0.0, f"the target is no JSON: {error}")
    violation = check.first_violation(value)
    reason = "" if violation is None else violation.message
    return judged(violation is None, float(violation is None), reason)


def _schema(trial: Trial) -> Any:
    if "schema" in trial.grader:
        return trial.grader["schema"]
    try:
        return orjson.loads(trial.files.get("schema", ""))
    except orjson.JSONDecodeError as error:
        raise Misconfigured(f"the schema file is no JSON: {error}") from error


grade_strings = grade_with(match_strings)
grade_schema = grade_with(match_schema)
