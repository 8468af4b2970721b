"""An agent that answers nothing: a pack that passes it does not test anything."""

from typing import Any

from runs.agents.contract import Config, Purpose, Reply, Request

LABEL = "Empty"
HELP = "Always gives an empty answer. A case that this agent passes is too easy."
PURPOSE = Purpose.PROBE
EXAMPLE = "nothing for `Where is PX-1?`"
SCHEMA: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
CONVERSES = True
NEEDS_WORKSPACE = False
RUNS_PROGRAMS = False


def respond(config: Config, request: Request) -> Reply:
    """An empty text."""
    return Reply("")
