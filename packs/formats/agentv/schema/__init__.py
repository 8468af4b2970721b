"""The JSON Schemas (2020-12) of AgentV evals: one a kind of node; suite and test are published for editors."""

from typing import Any

from packs.formats.agentv.schema.suite import SETTINGS, SUITE
from packs.formats.agentv.schema.test import TEST
from packs.formats.document import NodeKind
from packs.formats.schema.pieces import AGENT, block, items, text
from packs.formats.structure.published import published

__all__ = ["DIALECT", "SCHEMA", "file_schema"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# AgentV takes null for a field that is left out.
_ABSENT = [None]

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
                    "Path", "Its place in the pack.", minLength=1, examples=["graders/check.py"], audience=AGENT
                )
            },
            "A prompt, a program, a fixture or a file of a template.",
            required=["path"],
        ),
    }.items()
}


def file_schema() -> dict[str, Any]:
    """The schema of a suite's file, for editors outside Packwright."""
    known = {key: value for key, value in SUITE["properties"].items() if key != "$file"}
    tests = {"anyOf": [items("Tests", {"anyOf": [TEST, {"type": "string"}]}), text("Path of the tests")]}
    own = {key: value for key, value in SUITE.items() if key not in ("properties", "required")}
    whole = {**own, "x-absent": _ABSENT, "properties": {**known, "tests": tests}, "required": ["tests"]}
    return published({"$schema": DIALECT, **whole})
