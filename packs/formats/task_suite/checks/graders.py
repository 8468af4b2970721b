"""Rules about graders beyond their structure: known types, ids, assertions, and what suits a suite."""

from collections.abc import Iterator
from typing import Any

from packs.formats.advice import did_you_mean
from packs.formats.assertions import parse_assertion
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule
from packs.formats.task_suite.catalogue import ALIASES, GRADERS, known_type
from packs.formats.task_suite.checks.contents import check_contents
from packs.formats.task_suite.checks.rubrics import check_rubric
from packs.formats.task_suite.checks.structure import BAD_ASSERTION
from packs.formats.task_suite.suites import suite_of
from packs.formats.values import listing, mapping

UNKNOWN_TYPE = Rule(
    "task_suite.W301",
    "There is no grader type {name}; it is kept, and a trial that needs it ends as an error.",
    hint="{advice}",
    rule="TS-301",
)
SAME_ID = Rule("task_suite.E314", "Two graders have the id {key}.", hint="Rename one of the two.", rule="TS-314")
ALIAS = Rule(
    "task_suite.N315",
    "{name} is read as {meant}.",
    hint="Write {meant} to use the name that every reader knows.",
    rule="TS-315",
)
OTHER_FAMILY = Rule(
    "task_suite.W317",
    "No grader is of a kind that suits the suite {suite}.",
    hint="Add one of: {known}.",
    rule="TS-317",
)


def check_graders(document: Document) -> Iterator[Finding]:
    """Every rule about the graders of a task, and about how they combine."""
    graders = listing(document.get("graders"))
    for index, grader in enumerate(graders):
        if isinstance(grader, dict) and isinstance(grader.get("type"), str):
            yield from _check_grader(document, grader, ("graders", index))
    yield from _check_ids(graders)
    yield from _check_families(document, graders)


def _check_grader(document: Document, grader: Document, path: Path) -> Iterator[Finding]:
    name = grader["type"]
    kind = known_type(name)
    if not kind:
        advice = did_you_mean(name, GRADERS, f"Known types: {', '.join(GRADERS)}.")
        yield UNKNOWN_TYPE.at((*path, "type"), name=repr(name[:80]), advice=advice)
        return
    if name in ALIASES:
        yield ALIAS.at((*path, "type"), name=name, meant=kind)
    if kind == "deterministic_assertions":
        yield from _check_assertions(grader, path)
    elif kind in ("model_rubric", "human_review", "pairwise_comparison", "json_schema"):
        yield from check_rubric(document, kind, grader, path)
    yield from check_contents(document, kind, grader, path)


def _check_assertions(grader: Document, path: Path) -> Iterator[Finding]:
    for index, text in enumerate(listing(grader.get("checks"))):
        if isinstance(text, str) and parse_assertion(text) is None:
            yield BAD_ASSERTION.at((*path, "checks", index))


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
