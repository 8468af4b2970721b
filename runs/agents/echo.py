"""An agent that repeats its message: the quickest way to see a pack run."""

from typing import Any

from runs.agents.contract import Config, Purpose, Reply, Request

LABEL = "Echo"
HELP = "Answers with the message it is given, word for word. Useful to see what an agent is told."
PURPOSE = Purpose.PROBE
EXAMPLE = "`Where is PX-1?` for `Where is PX-1?`"
SCHEMA: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
CONVERSES = True
NEEDS_WORKSPACE = False
RUNS_PROGRAMS = False


def respond(config: Config, request: Request) -> Reply:
    """The message itself."""
    return Reply(request.message)
