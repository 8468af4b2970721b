"""An agent that gives the gold answer: a case that fails it cannot be passed by anybody."""

from typing import Any

from packs.formats.task import Task
from runs.agents.contract import Config, PackProblem, Purpose, Reply, Request

LABEL = "Reference"
HELP = "Answers with the gold answer that the case states for its graders. A sound case passes it."
PURPOSE = Purpose.PROBE
EXAMPLE = "`Leeds hub` where a check expects `Leeds hub`"
SCHEMA: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
CONVERSES = True
RUNS_PROGRAMS = False


def leaves_files(task: Task) -> bool:
    """Whether files belong to the gold answer of a task."""
    return bool(task.reference_files)


NEEDS_WORKSPACE = leaves_files


def respond(config: Config, request: Request) -> Reply:
    """What the turn expects, else the case's gold answer, whose files it leaves in the workspace.

    Raises PackProblem when the case states neither.
    """
    if request.workspace is not None:
        for path, text in request.task.reference_files.items():
            request.workspace.write_file(path, text.encode())
    if request.is_exact and request.expected:
        return Reply(request.expected[0])
    gold = request.task.reference
    if request.expected:
        return Reply("\n".join(dict.fromkeys((*request.expected, *([gold] if gold is not None else [])))))
    if gold is not None or request.task.reference_files:
        return Reply(gold or "")
    case = request.task.case_key or request.task.challenge_key
    raise PackProblem(f"Case {case!r} states no gold answer that its graders look for.")
