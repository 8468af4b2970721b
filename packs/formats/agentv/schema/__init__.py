"""The JSON Schemas (2020-12) of AgentV evals: one a kind of node, and those of files for editors.

Forms read all that they ask for. AgentV refuses only that of which a part names a rule (`x-rules`).
"""

from functools import cache
from typing import Any

from packs.formats.agentv.reader import is_external
from packs.formats.agentv.rules import WARNINGS
from packs.formats.agentv.schema.settings import SETTINGS
from packs.formats.agentv.schema.suite import SUITE
from packs.formats.agentv.schema.targets import TARGETS_FILE
from packs.formats.agentv.schema.test import TEST
from packs.formats.agentv.schema.workspace import REPOSITORIES
from packs.formats.document import Document, NodeKind
from packs.formats.schema.pieces import AGENT, block, items, text
from packs.formats.structure.published import published
from packs.formats.structure.relaxing import rule_names

__all__ = ["DIALECT", "SCHEMA", "file_schemas", "refusing"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# AgentV takes null for a field that is left out.
_ABSENT = [None]
_OWN = ("$file", "$folder", "x-slug", "x-name", "x-description")
_FILE = "^file://"

SCHEMA: dict[NodeKind, dict[str, Any]] = {
    kind: {"$schema": DIALECT, "x-absent": _ABSENT, **schema}
    for kind, schema in {
        NodeKind.PACK: SETTINGS,
        NodeKind.INPUT_SET: SUITE,
        NodeKind.CASE: TEST,
        NodeKind.ASSET: block(
            "File",
            {
                "path": text(
                    "Path",
                    "Its place in the pack.",
                    pattern=r"\S",
                    examples=["graders/check.py"],
                    audience=AGENT,
                    rules="place",
                )
            },
            "A prompt, a program, a fixture or a file of a template.",
            required=["path"],
            rules={"required": {"path": "place"}},
        ),
    }.items()
}


# What AgentV's checks refuse, by the names of rules in the schemas: of a suite, which they do not search for files; of
# a test in a list that is a file of its own (B.3); and of a test in any other file, where they read the workspace.
_IN_SUITES = rule_names([*SCHEMA.values()]) - WARNINGS
_OF_SUITES = _IN_SUITES - {"no_file_name"}
_IN_LISTS = frozenset({"no_test", "no_id", "no_input", "bad_input"})
_OUTSIDE = frozenset({"no_test"}) | rule_names(REPOSITORIES)


def refusing(kind: NodeKind, suite: Document) -> dict[str, Any]:
    """The schema that refuses in a node what AgentV's checks refuse there; `suite` is the one that a test is of."""
    if kind is NodeKind.INPUT_SET:
        return _refusing(kind, _OF_SUITES)
    if kind is NodeKind.CASE and suite.get("$list"):
        return _refusing(kind, _IN_LISTS)
    return _refusing(kind, _OUTSIDE if kind is NodeKind.CASE and is_external(suite) else _IN_SUITES)


@cache
def _refusing(kind: NodeKind, names: frozenset[str]) -> dict[str, Any]:
    return published(SCHEMA[kind], names)


def file_schemas() -> dict[str, dict[str, Any]]:
    """What editors outside Packwright can use, by kind of file."""
    settings = _without_own(SCHEMA[NodeKind.PACK])
    return {
        "suite": _suite_file(),
        "tests": _tests_file(),
        "config": published(settings, _IN_SUITES),
        "targets": published({"$schema": DIALECT, **TARGETS_FILE}, rule_names(TARGETS_FILE)),
    }


def _suite_file() -> dict[str, Any]:
    entry = {"anyOf": [TEST, text("Path of tests", pattern=_FILE, rules="no_test")], "x-rules": {"type": "no_test"}}
    tests = {"anyOf": [items("Tests", entry), text("Path of the tests")], "x-rules": {"type": "no_tests"}}
    rules = {"type": "no_suite", "required": {"tests": "no_tests"}}
    suite = _without_own({**SUITE, "x-absent": _ABSENT})
    whole = {**suite, "properties": {**suite["properties"], "tests": {}}, "required": ["tests"], "x-rules": rules}
    found = published({"$schema": DIALECT, **whole}, _OF_SUITES)
    found["properties"]["tests"] = published({"x-absent": _ABSENT, **tests}, _IN_SUITES)
    return found


def _tests_file() -> dict[str, Any]:
    tests = {**items("Tests", TEST), "x-absent": _ABSENT, "x-rules": {"type": "no_test"}}
    return published({"$schema": DIALECT, **tests}, _IN_LISTS)


def _without_own(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without the fields that only Packwright has."""
    known = {name: part for name, part in schema["properties"].items() if name not in _OWN}
    return {**schema, "properties": known, "required": []}
