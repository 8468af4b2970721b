"""Rules about graders: their envelope, what they need, and the shape of their fields (TS-301 to TS-305, TS-314 to
TS-318)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from packs.formats.advice import did_you_mean
from packs.formats.assertions import parse_assertion
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.task_suite.catalogue import ALIASES, GRADERS, known_type
from packs.formats.task_suite.checks.contents import check_contents
from packs.formats.task_suite.checks.rubrics import check_rubric
from packs.formats.task_suite.checks.rules import EMPTY_CHECK, WRONG_SHAPE
from packs.formats.task_suite.checks.shapes import FIELDS, check_expectations, check_shape, check_tool_entries
from packs.formats.task_suite.suites import suite_of
from packs.formats.traces import TRAJECTORY_CHECKS
from packs.formats.values import is_number, is_whole, listing, mapping, whole_expected

UNKNOWN_TYPE = Rule(
    "task_suite.W301",
    "There is no grader type {name}; it is kept, and a trial that needs it ends as an error.",
    hint="{advice}",
    rule="TS-301",
)
BAD_CHECK = Rule(
    "task_suite.E304",
    "This is not a check of a trajectory: {reason}.",
    hint="Write one check in each entry, such as `no_loops: true` or `max_retries_per_tool: 3`.",
    rule="TS-304",
)
BAD_ASSERTION = Rule(
    "task_suite.E305",
    "This is not an assertion.",
    hint="Write `fact op literal`, such as no_secret_leak == true or steps <= 8; texts stand in quotes.",
    rule="TS-305",
)
SAME_ID = Rule("task_suite.E314", "Two graders have the id {key}.", hint="Rename one of the two.", rule="TS-314")
ALIAS = Rule(
    "task_suite.N315",
    "{name} is read as {meant}.",
    hint="Write {meant} to use the name that every reader knows.",
    rule="TS-315",
)
BLANK_COMMAND = Rule(
    "task_suite.E316", "The command is blank.", hint="Remove the entry, or write a command.", rule="TS-316"
)
OTHER_FAMILY = Rule(
    "task_suite.W317",
    "No grader is of a kind that suits the suite {suite}.",
    hint="Add one of: {known}.",
    rule="TS-317",
)
BAD_GRADING = Rule(
    "task_suite.E318",
    "{what}",
    hint="Modes are binary, weighted and hybrid; the last two need a threshold.",
    rule="TS-318",
)

# What a grader must have: one of these fields, reported at the grader, or at the field where there is only one.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "deterministic_tests": ("commands", "required_tests", "required", "fail_to_pass", "pass_to_pass"),
    "static_analysis": ("commands",),
    "state_check": ("expect",),
    "tool_calls": ("required", "forbidden", "sequence", "max_calls"),
    "trajectory_metrics": ("checks",),
    "deterministic_assertions": ("checks",),
    "policy_check": GRADERS["policy_check"],
    "string_match": ("patterns",),
    "json_schema": ("schema", "schema_path"),
    "pairwise_comparison": ("reference",),
    "human_review": ("rubric_paths", "assertions"),
}
MODES = ("binary", "weighted", "hybrid")


def check_graders(document: Document) -> Iterator[Finding]:
    """Every rule about the graders of a task, and about how they combine."""
    graders = listing(document.get("graders"))
    for index, grader in enumerate(graders):
        if isinstance(grader, dict) and isinstance(grader.get("type"), str):
            yield from _check_grader(document, grader, ("graders", index))
    yield from _check_ids(graders)
    yield from _check_families(document, graders)
    yield from _check_grading(document)


def _check_grader(document: Document, grader: Document, path: Path) -> Iterator[Finding]:
    name = grader["type"]
    kind = known_type(name)
    yield from _check_envelope(grader, path)
    if not kind:
        advice = did_you_mean(name, GRADERS, f"Known types: {', '.join(GRADERS)}.")
        yield UNKNOWN_TYPE.at((*path, "type"), name=repr(name[:80]), advice=advice)
        return
    if name in ALIASES:
        yield ALIAS.at((*path, "type"), name=name, meant=kind)
    yield from _check_needs(kind, grader, path)
    for field, shape in FIELDS.get(kind, {}).items():
        if field in grader:
            yield from check_shape(shape, grader[field], (*path, field))
    yield from _check_content(document, kind, grader, path)
    yield from check_contents(document, kind, grader, path)
    yield from _check_commands(grader, path)


def _check_envelope(grader: Document, path: Path) -> Iterator[Finding]:
    weight, key = grader.get("weight", 1), grader.get("id", "id")
    if not is_number(weight) or weight < 0:
        yield WRONG_SHAPE.at((*path, "weight"), name="weight", expected="a number of at least 0")
    if not isinstance(grader.get("critical", True), bool):
        yield WRONG_SHAPE.at((*path, "critical"), name="critical", expected="true or false")
    if not isinstance(key, str) or not key.strip():
        yield WRONG_SHAPE.at((*path, "id"), name="id", expected="text")


def _check_needs(kind: str, grader: Document, path: Path) -> Iterator[Finding]:
    needed = NEEDS.get(kind, ())
    if kind == "trajectory_metrics" and any(name in grader for name in TRAJECTORY_CHECKS):
        return
    given = [grader[field] for field in needed if field in grader]
    if not needed or any(value not in ([], {}, "", None) for value in given):
        return
    if len(needed) == 1:
        yield EMPTY_CHECK.at((*path, needed[0]), known=needed[0])
    else:
        yield EMPTY_CHECK.at(path, known=" or ".join(needed))


def _check_content(document: Document, kind: str, grader: Document, path: Path) -> Iterator[Finding]:
    if kind == "trajectory_metrics":
        yield from _check_trajectory(grader, path)
    elif kind == "deterministic_assertions":
        yield from _check_assertions(grader, path)
    elif kind == "state_check":
        yield from check_expectations(grader.get("expect"), (*path, "expect"))
    elif kind == "tool_calls":
        yield from check_tool_entries(grader.get("required"), (*path, "required"))
    elif kind in ("model_rubric", "human_review", "pairwise_comparison", "json_schema"):
        yield from check_rubric(document, kind, grader, path)


def _check_commands(grader: Document, path: Path) -> Iterator[Finding]:
    for index, command in enumerate(listing(grader.get("commands"))):
        if isinstance(command, str) and not command.strip():
            yield BLANK_COMMAND.at((*path, "commands", index))


def _check_assertions(grader: Document, path: Path) -> Iterator[Finding]:
    for index, text in enumerate(listing(grader.get("checks"))):
        if not isinstance(text, str) or parse_assertion(text) is None:
            yield BAD_ASSERTION.at((*path, "checks", index))


def _check_trajectory(grader: Document, path: Path) -> Iterator[Finding]:
    for index, check in enumerate(listing(grader.get("checks"))):
        reason = _check_trouble(check)
        if reason:
            yield BAD_CHECK.at((*path, "checks", index), reason=reason)
    for name, kind in TRAJECTORY_CHECKS.items():
        expected = _expected(kind, grader[name]) if name in grader else ""
        if expected:
            yield WRONG_SHAPE.at((*path, name), name=name, expected=expected)


_VALUES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "bool": (lambda value: isinstance(value, bool), "true or false"),
    "number": (lambda value: is_number(value) and value > 0, "a number above 0"),
    "share": (lambda value: is_number(value) and 0 <= value <= 1, "a number from 0 to 1"),
}


def _expected(kind: str, value: Any) -> str:
    """What the value of a check of a kind should be; empty where it is that."""
    if kind == "int":
        return "" if is_whole(value, 0) else whole_expected(value, 0)
    is_fine, expected = _VALUES[kind]
    return "" if is_fine(value) else expected


def _check_trouble(check: Any) -> str:
    """Why an entry is no check; empty where it is one."""
    if not isinstance(check, dict) or len(check) != 1:
        return "an entry has one key and its value"
    ((name, value),) = check.items()
    kind = TRAJECTORY_CHECKS.get(name)
    if kind is None:
        return f"there is no check {name[:80]!r}"
    expected = _expected(kind, value)
    return f"{name} must be {expected}" if expected else ""


def _check_ids(graders: list[Any]) -> Iterator[Finding]:
    seen: set[str] = set()
    for index, grader in enumerate(graders):
        key = mapping(grader).get("id")
        if isinstance(key, str):
            if key in seen:
                yield SAME_ID.at(("graders", index, "id"), key=repr(key[:80]))
            seen.add(key)


def _check_families(document: Document, graders: list[Any]) -> Iterator[Finding]:
    suite = suite_of(document)
    types = [grader["type"] for grader in graders if isinstance(grader, dict) and isinstance(grader.get("type"), str)]
    if suite and types and not any(known_type(name) in suite.families for name in types):
        yield OTHER_FAMILY.at(("graders",), suite=suite.name, known=", ".join(suite.families))


def _check_grading(document: Document) -> Iterator[Finding]:
    if "grading" not in document:
        return
    grading = document["grading"]
    if not isinstance(grading, dict):
        yield BAD_GRADING.at(("grading",), what="The grading must be a mapping with a mode.")
        return
    mode, threshold = grading.get("mode", "binary"), grading.get("threshold")
    if mode not in MODES:
        yield BAD_GRADING.at(("grading", "mode"), what="There is no such mode of grading.")
        return
    is_needed = mode != "binary" or threshold is not None
    if is_needed and not (is_number(threshold) and 0 <= threshold <= 1):
        yield BAD_GRADING.at(("grading", "threshold"), what="The threshold must be a number from 0 to 1.")
