"""Rules about the objects inside `eval`: tests, patches, policies and checkers (benchmark-pack 6.7, 6.8)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from packs.formats.benchmark_pack.checks.values import UNKNOWN_FIELD, WRONG_VALUE, is_amount
from packs.formats.environment import DANGEROUS_COMMANDS
from packs.formats.findings import Finding, Path, render_path
from packs.formats.values import is_command, is_finite, is_text

_COMMAND = "a shell line, or a list of texts that is not empty"
_TEXT = "text that is not blank"


def check_repository_tests(value: Any, path: Path) -> Iterator[Finding]:
    """`eval.tests` of a repository patch."""
    if not isinstance(value, dict):
        yield _wrong(path, "an object")
        return
    yield from _unknown(value, path, _TESTS)
    yield from _fields(value, path, _TESTS, required=("source", "command"))


def check_checker(value: Any, path: Path) -> Iterator[Finding]:
    """`eval.checker` of a terminal task."""
    if not isinstance(value, dict):
        yield _wrong(path, "an object")
        return
    yield from _unknown(value, path, _CHECKER)
    yield from _fields(value, path, _CHECKER, required=("command",))


def check_needed_commands(value: Any, path: Path) -> Iterator[Finding]:
    """`eval.needed_commands`: names of commands that need more rights; null stands for none."""
    if value is None:
        return
    if not isinstance(value, list):
        yield _wrong(path, "a list of command names")
        return
    known = ", ".join(DANGEROUS_COMMANDS)
    for index, name in enumerate(value):
        if not is_text(name) or name.strip() not in DANGEROUS_COMMANDS:
            yield _wrong((*path, index), f"one of: {known}")


def _check_patch(value: Any, path: Path) -> Iterator[Finding]:
    if isinstance(value, dict):
        yield from _unknown(value, path, _PATCH)
        yield from _fields(value, path, _PATCH, required=("source", "patch"))
    elif not is_text(value):
        yield _wrong(path, "the text of a patch, or an object with source and patch")


def _check_policy(value: Any, path: Path) -> Iterator[Finding]:
    if not isinstance(value, dict):
        yield _wrong(path, "an object")
        return
    yield from _unknown(value, path, _POLICY)
    yield from _fields(value, path, _POLICY, required=())


def _check_paths(value: Any, path: Path) -> Iterator[Finding]:
    if not isinstance(value, list) or not all(map(is_text, value)):
        yield _wrong(path, "a list of texts, none of them blank")


Rules = Callable[[Any, Path], Iterator[Finding]]


def _simple(is_fine: Callable[[Any], bool], expected: str) -> Rules:
    def check(value: Any, path: Path) -> Iterator[Finding]:
        if not is_fine(value):
            yield _wrong(path, expected)

    return check


_TESTS: Mapping[str, Rules] = {
    "source": _simple(lambda value: value == "command", "`command`"),
    "command": _simple(is_command, _COMMAND),
    "workdir": _simple(is_text, _TEXT),
    "timeout_seconds": _simple(is_amount, "a number from 0 up"),
    "setup_patch": _check_patch,
    "test_patch": _check_patch,
    "candidate_policy": _check_policy,
}
_CHECKER: Mapping[str, Rules] = {
    "command": _simple(is_command, _COMMAND),
    "workdir": _simple(is_text, _TEXT),
    "timeout_seconds": _simple(lambda value: is_finite(value) and value > 0, "a number above 0"),
}
_PATCH: Mapping[str, Rules] = {
    "source": _simple(lambda value: value == "inline", "`inline`"),
    "patch": _simple(is_text, _TEXT),
}
_POLICY: Mapping[str, Rules] = {"allow_paths": _check_paths, "allow_sensitive_paths": _check_paths}


def _unknown(value: dict[str, Any], path: Path, known: Mapping[str, Rules]) -> Iterator[Finding]:
    unknown = sorted(value.keys() - known.keys())
    if unknown:
        advice = f"Known fields here: {', '.join(known)}."
        yield UNKNOWN_FIELD.at(path, name=render_path(path), keys=", ".join(unknown), advice=advice)


def _fields(
    value: dict[str, Any], path: Path, rules: Mapping[str, Rules], required: tuple[str, ...]
) -> Iterator[Finding]:
    for name, check in rules.items():
        if name in value or name in required:
            yield from check(value.get(name), (*path, name))


def _wrong(path: Path, expected: str) -> Finding:
    return WRONG_VALUE.at(path, name=render_path(path), expected=expected)
