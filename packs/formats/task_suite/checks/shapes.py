"""The shapes of the graders' fields (TS-303): one word a field, and functions for the few that are deeper."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from packs.formats.findings import Finding, Path
from packs.formats.task_suite.catalogue import POLICY_RULES
from packs.formats.task_suite.checks.rules import WRONG_SHAPE
from packs.formats.values import is_number, is_whole, listing, whole_expected

_TEXTS, _TEXT, _MAPPING, _LIST = "a list of texts", "text", "a mapping", "a list"
_SECONDS, _COUNT, _FLAG = "a number above 0", "a whole number of at least 0", "true or false"
_ANY, _RULES = "any or all", f"a list of {', '.join(POLICY_RULES)}"

FIELDS: Mapping[str, Mapping[str, str]] = {
    "deterministic_tests": {
        **dict.fromkeys(("commands", "required_tests", "required", "fail_to_pass", "pass_to_pass"), _TEXTS),
        "timeout_seconds": _SECONDS,
    },
    "static_analysis": {"commands": _TEXTS, "timeout_seconds": _SECONDS},
    "state_check": {"expect": _MAPPING},
    "tool_calls": {"required": _LIST, "forbidden": _TEXTS, "sequence": _TEXTS, "max_calls": _COUNT},
    "trajectory_metrics": {"checks": _LIST, "reference": _TEXTS},
    "deterministic_assertions": {"checks": _LIST},
    "policy_check": {
        "rules": _RULES,
        **dict.fromkeys(
            ("forbidden_tools", "allowed_tools", "deny_patterns", "secrets", "require_confirmation"), _TEXTS
        ),
    },
    "string_match": {
        "patterns": _TEXTS,
        "mode": _ANY,
        "regex": _FLAG,
        "case_sensitive": _FLAG,
        "target": _TEXT,
    },
    "json_schema": {"schema_path": _TEXT, "target": _TEXT},
    "model_rubric": {
        "rubric_paths": _TEXTS,
        "rubric": _TEXT,
        "assertions": _TEXTS,
        "scoring": _MAPPING,
        "judge": _MAPPING,
    },
    "pairwise_comparison": {"reference": _TEXT, "judge": _MAPPING},
    "human_review": {"rubric_paths": _TEXTS, "assertions": _TEXTS, "min_reviewers": _COUNT},
}

_TESTS: Mapping[str, Callable[[Any], bool]] = {
    _TEXT: lambda value: isinstance(value, str),
    _MAPPING: lambda value: isinstance(value, dict),
    _LIST: lambda value: isinstance(value, list),
    _SECONDS: lambda value: is_number(value) and value > 0,
    _COUNT: lambda value: is_whole(value, 0),
    _FLAG: lambda value: isinstance(value, bool),
    _ANY: lambda value: value in ("any", "all"),
}


def check_shape(shape: str, value: Any, path: Path) -> Iterator[Finding]:
    """What keeps a value from having a shape; entries of lists are reported one by one."""
    if shape in (_TEXTS, _RULES):
        if not isinstance(value, list):
            yield _wrong(path, shape)
            return
        for index, item in enumerate(value):
            if not isinstance(item, str) or (shape == _RULES and item not in POLICY_RULES):
                expected = f"one of {', '.join(POLICY_RULES)}" if shape == _RULES else _TEXT
                yield WRONG_SHAPE.at((*path, index), name=f"an entry of {path[-1]}", expected=expected)
    elif not _TESTS[shape](value):
        yield _wrong(path, whole_expected(value, 0) if shape == _COUNT else shape)


def _wrong(path: Path, expected: str) -> Finding:
    return WRONG_SHAPE.at(path, name=str(path[-1]), expected=expected)


def check_tool_entries(required: Any, path: Path) -> Iterator[Finding]:
    """The entries of `tool_calls.required`: a tool each, with parameters and how often it may be called."""
    for index, entry in enumerate(listing(required)):
        where = (*path, index)
        if not isinstance(entry, dict) or not isinstance(entry.get("tool"), str) or not entry["tool"].strip():
            yield WRONG_SHAPE.at(where, name="an entry", expected="a mapping that names a tool")
            continue
        if not isinstance(entry.get("params", {}), dict):
            yield _wrong((*where, "params"), _MAPPING)
        for name in ("min_calls", "max_calls"):
            if name in entry and not is_whole(entry[name], 0):
                yield _wrong((*where, name), whole_expected(entry[name], 0))


def check_expectations(expect: Any, path: Path) -> Iterator[Finding]:
    """The parts of `state_check.expect` that have a shape: http, logs and files."""
    if not isinstance(expect, dict):
        return
    if "http" in expect:
        yield from _check_exchanges(expect["http"], (*path, "http"))
    if "logs" in expect:
        yield from _check_contents(expect["logs"], (*path, "logs"))
    if "files" in expect and not isinstance(expect["files"], dict):
        yield _wrong((*path, "files"), "a mapping of paths to expectations")
    elif "files" in expect:
        for name, wanted in expect["files"].items():
            yield from _check_contents(wanted, (*path, "files", name))


def _check_exchanges(exchanges: Any, path: Path) -> Iterator[Finding]:
    if not isinstance(exchanges, list):
        yield _wrong(path, "a list of requests with responses")
        return
    for index, exchange in enumerate(exchanges):
        if not _is_exchange(exchange):
            yield WRONG_SHAPE.at(
                (*path, index), name="an entry", expected="a request with method and path, and a response"
            )


def _is_exchange(exchange: Any) -> bool:
    if not isinstance(exchange, dict):
        return False
    request, response = exchange.get("request"), exchange.get("response")
    if not isinstance(request, dict) or not isinstance(response, dict):
        return False
    return isinstance(request.get("method"), str) and isinstance(request.get("path"), str)


def _check_contents(wanted: Any, path: Path) -> Iterator[Finding]:
    if not isinstance(wanted, dict):
        yield _wrong(path, _MAPPING)
        return
    for name in ("contains", "not_contains"):
        if name in wanted:
            yield from check_shape(_TEXTS, wanted[name], (*path, name))
    if not isinstance(wanted.get("exists", True), bool):
        yield _wrong((*path, "exists"), _FLAG)
    if not isinstance(wanted.get("equals", ""), str):
        yield _wrong((*path, "equals"), _TEXT)
