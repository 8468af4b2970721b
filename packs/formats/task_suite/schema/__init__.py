"""The JSON Schemas (2020-12) of task suites: one a kind of node; those of tasks and configuration are published."""

from typing import Any

from packs.formats.document import NodeKind
from packs.formats.schema.pieces import AGENT, block, choice, text
from packs.formats.structure.published import published
from packs.formats.task_suite.schema.config import CONFIG
from packs.formats.task_suite.schema.task import SUITE_LABELS, TASK

__all__ = ["DIALECT", "SCHEMA", "file_schemas"]

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_SUITE = {"suite": choice("Suite", SUITE_LABELS, "One of the four.", audience=AGENT, trimmed=True)}

SCHEMA: dict[NodeKind, dict[str, Any]] = {
    kind: {"$schema": DIALECT, **schema}
    for kind, schema in {
        NodeKind.PACK: CONFIG,
        NodeKind.CHALLENGE: block("Suite", _SUITE, "A kind of task, with its own defaults.", required=["suite"]),
        NodeKind.INPUT_SET: block("Tasks of a suite", _SUITE, "They run together.", required=["suite"]),
        NodeKind.CASE: TASK,
        NodeKind.ASSET: block(
            "File",
            {
                "path": text(
                    "Path", "Below evals/.", minLength=1, examples=["evals/_shared/rubrics/tone.md"], audience=AGENT
                )
            },
            "A rubric, a schema or a fixture that tasks refer to.",
            required=["path"],
        ),
    }.items()
}


def file_schemas() -> dict[str, dict[str, Any]]:
    """What editors outside Packwright can use: the schema of a task file."""
    return {"": published(SCHEMA[NodeKind.CASE])}
