"""Rules about what stands in the fields of graders: patterns, schemas and expectations that cannot be used."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.syntaxes import operations, pattern_trouble, schema_trouble
from packs.formats.task_suite.checks.structure import EMPTY_CHECK, WRONG_SHAPE
from packs.formats.traces import TRAJECTORY_CHECKS
from packs.formats.values import is_number, listing, mapping

BAD_PATTERN = Rule(
    "task_suite.E320",
    "{pattern} is not a regular expression: {reason}.",
    hint="{advice}",
    rule="TS-303",
)
BAD_SCHEMA = Rule(
    "task_suite.E321",
    "The schema cannot be used: {reason}",
    hint="Use JSON Schema of draft 2020-12 or draft-07.",
    rule="TS-303",
)
NO_REFERENCE = Rule(
    "task_suite.E322",
    "{name} compares with a reference, and the grader has none.",
    hint="List the tools of a good trajectory under reference.",
    rule="TS-302",
)
UNPLANTED_SECRET = Rule(
    "task_suite.W323",
    "The policy looks for the value of {name}, which the task does not plant.",
    hint="Add the name to inputs.secrets_in_env; without a value the trial ends as an error.",
)
UNKNOWN_OPERATOR = Rule(
    "task_suite.E325",
    "There is no operator {name}.",
    hint="The operators are: {known}.",
    rule="TS-303",
)


@dataclass(frozen=True, slots=True)
class _Operand:
    """What an operator of the match language takes, in words and as a test."""

    words: str
    fits: Callable[[Any], bool]


_ANY = _Operand("a value", lambda value: True)
_NUMBER = _Operand("a number", is_number)
_TEXT = _Operand("text", lambda value: isinstance(value, str))
_LIST = _Operand("a list", lambda value: isinstance(value, list))
_OPERANDS: Mapping[str, _Operand] = {
    **dict.fromkeys(("$eq", "$ne", "$contains", "$exists"), _ANY),
    **dict.fromkeys(("$gt", "$gte", "$lt", "$lte"), _NUMBER),
    "$in": _LIST,
    "$regex": _TEXT,
}
# Checks of a trajectory that compare it with the grader's reference.
COMPARED = ("min_action_precision", "min_action_recall", "in_order_match")
# The parts of an expected state that are not parts of the state itself.
STATE_PARTS = ("http", "logs", "files")


def check_contents(document: Document, kind: str, grader: Document, path: Path) -> Iterator[Finding]:
    """Every rule about patterns, schemas and expectations of one grader."""
    match kind:
        case "string_match" if grader.get("regex") is True:
            yield from _check_patterns(grader, (*path, "patterns"))
        case "policy_check":
            yield from _check_patterns(grader, (*path, "deny_patterns"))
            yield from _check_secrets(document, grader, path)
        case "json_schema" if grader.get("schema") and (reason := schema_trouble(grader["schema"])):
            yield BAD_SCHEMA.at((*path, "schema"), reason=reason)
        case "state_check":
            yield from _check_state(mapping(grader.get("expect")), (*path, "expect"))
        case "tool_calls":
            for position, entry in enumerate(listing(grader.get("required"))):
                params = mapping(entry).get("params")
                yield from _check_expectation(params, (*path, "required", position, "params"))
        case "trajectory_metrics":
            yield from _check_checks(grader, path)


def _check_patterns(grader: Document, path: Path) -> Iterator[Finding]:
    for position, pattern in enumerate(listing(grader.get(str(path[-1])))):
        if isinstance(pattern, str):
            yield from _check_pattern(pattern, (*path, position), grader.get("case_sensitive", True) is not False)


def _check_pattern(pattern: str, path: Path, is_exact: bool = True) -> Iterator[Finding]:
    if trouble := pattern_trouble(pattern, is_exact):
        yield BAD_PATTERN.at(path, pattern=repr(pattern[:80]), **trouble)


def _check_secrets(document: Document, grader: Document, path: Path) -> Iterator[Finding]:
    planted = listing(mapping(document.get("inputs")).get("secrets_in_env"))
    for position, name in enumerate(listing(grader.get("secrets"))):
        if isinstance(name, str) and name not in planted:
            yield UNPLANTED_SECRET.at((*path, "secrets", position), name=repr(name[:80]))


def _check_state(expect: Document, path: Path) -> Iterator[Finding]:
    for position, exchange in enumerate(listing(expect.get("http"))):
        for side in ("request", "response"):
            yield from _check_expectation(mapping(exchange).get(side), (*path, "http", position, side))
    state = {name: value for name, value in expect.items() if name not in STATE_PARTS}
    yield from _check_expectation(state, path)
    logs = mapping(expect.get("logs"))
    given = (state, expect.get("http"), logs.get("contains"), logs.get("not_contains"), expect.get("files"))
    if not any(given):
        yield EMPTY_CHECK.at(path, known="expect")


def _check_expectation(expected: Any, path: Path) -> Iterator[Finding]:
    for place, name, wanted in operations(expected, path):
        needed = _OPERANDS.get(name)
        if needed is None:
            yield UNKNOWN_OPERATOR.at(place, name=repr(name[:80]), known=", ".join(_OPERANDS))
        elif not needed.fits(wanted):
            yield WRONG_SHAPE.at(place, name=name, expected=needed.words)
        elif name == "$regex":
            yield from _check_pattern(wanted, place)


def _check_checks(grader: Document, path: Path) -> Iterator[Finding]:
    """What is left to check of a trajectory once the checks that are false are switched off (task-suite 4.2)."""
    listed = [
        ((*path, "checks", position), name, value)
        for position, check in enumerate(listing(grader.get("checks")))
        for name, value in mapping(check).items()
    ]
    stated = [*listed, *(((*path, name), name, grader[name]) for name in TRAJECTORY_CHECKS if name in grader)]
    if all(value is False for _, _, value in stated) and (stated or not grader.get("checks")):
        yield EMPTY_CHECK.at((*path, "checks"), known="checks with one that is not false")
    for place, name, value in stated:
        if name in COMPARED and value is not False and not grader.get("reference"):
            yield NO_REFERENCE.at(place, name=name)
