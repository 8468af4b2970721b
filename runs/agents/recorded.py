"""Outputs that were made elsewhere, to be graded without running anything."""

from collections.abc import Mapping
from typing import Any

from runs.agents.contract import AgentFailed, Config, Reply, Request

LABEL = "Recorded outputs"
HELP = "Grades uploaded outputs, and recorded events where there are any, instead of running an agent."
CONVERSES = True
NEEDS_WORKSPACE = False
RUNS_PROGRAMS = False

ROW: dict[str, Any] = {
    "type": "object",
    "title": "Output",
    "properties": {
        "case_key": {"type": "string", "title": "Case"},
        "challenge_key": {"type": "string", "title": "Challenge"},
        "input_set": {"type": "string", "title": "Input set"},
        "output": {"type": "string", "title": "Output", "x-widget": "multiline"},
        "events": {"type": "array", "title": "Events", "items": {"type": "object"}},
    },
    "required": ["case_key", "output"],
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "outputs": {
            "type": "array",
            "title": "Outputs",
            "description": "One entry a case, as in the rows of `run grade --outputs`.",
            "items": ROW,
        },
    },
    "required": ["outputs"],
    "additionalProperties": False,
}


def respond(config: Config, request: Request) -> Reply:
    """The recorded output of the case. Raises AgentFailed where there is none."""
    task = request.task
    for row in config.get("outputs", []):
        if fits(row, task.input_set_key, task.challenge_key, task.case_key):
            return Reply(row["output"], tuple(row.get("events", [])))
    raise AgentFailed(f"No output was recorded for case {task.case_key!r}.")


def fits(row: Mapping[str, Any], input_set: str, challenge_key: str, case_key: str) -> bool:
    """Whether a row is about this case; a member that the row leaves out fits everything."""
    return (
        row.get("case_key") == case_key
        and row.get("challenge_key", challenge_key) == challenge_key
        and row.get("input_set", input_set) == input_set
    )
