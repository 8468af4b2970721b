"""An agent with recorded answers: whole runs can be tried without any model."""

import time
from collections.abc import Mapping
from typing import Any

from packs.formats.schema.pieces import Schema, free_map, items, mapping, number, strict, text, texts
from runs.agents.contract import AgentFailed, Cancelled, Config, NotTried, Purpose, Reply, Request

LABEL = "Scripted"
HELP = "Gives the answer that is written down for each case, with recorded events where there are any."
PURPOSE = Purpose.KNOWN
EXAMPLE = "`Leeds hub` for the case `case-one`"
CONVERSES = True
NEEDS_WORKSPACE = False
RUNS_PROGRAMS = False

_EVENT = strict("Event", {"type": text("Type"), "payload": free_map("Payload")}, required=["type"])
ANSWER: Schema = {
    "title": "Answer",
    "oneOf": [
        text("Text", widget="multiline"),
        strict(
            "Answer with events",
            {
                "output": text("Output", widget="multiline"),
                "turns": texts("Turns", "In a conversation: the replies in their order."),
                "events": items("Events", _EVENT, "What is recorded before the answer, for instance tool calls."),
                "error": text("Error", "Fail with this message instead of answering."),
            },
        ),
    ],
}
SCHEMA = strict(
    LABEL,
    {
        "answers": mapping(
            "Answers by case",
            ANSWER,
            "The key is a case key, or challenge key, slash, case key where cases share a key.",
            open=True,
        ),
        "default": {
            **ANSWER,
            "title": "Default answer",
            "description": "For every case without one of its own.",
            "x-open": True,
        },
        "delay_seconds": number(
            "Delay (seconds)", "How long to wait before each answer.", minimum=0, maximum=3600, default=0
        ),
    },
)
LOOK_SECONDS = 0.1


def respond(config: Config, request: Request) -> Reply:
    """The recorded answer. Raises NotTried where none is written down for the case, AgentFailed where an error is."""
    answer = find_answer(config, request)
    wait(float(config.get("delay_seconds", 0)), request)
    if isinstance(answer, str):
        return Reply(answer)
    for event in answer.get("events", []) if request.turn == 0 else []:
        request.record(event["type"], event.get("payload", {}))
    if "error" in answer:
        raise AgentFailed(answer["error"])
    turns = answer.get("turns", [])
    return Reply(turns[request.turn] if request.turn < len(turns) else answer.get("output", ""))


def find_answer(config: Config, request: Request) -> str | Mapping[str, Any]:
    """The answer to this case: by challenge and case, by case, or the default."""
    answers, task = config.get("answers", {}), request.task
    for key in (f"{task.challenge_key}/{task.case_key}", task.case_key):
        if key in answers:
            return answers[key]  # type: ignore[no-any-return]
    if "default" in config:
        return config["default"]  # type: ignore[no-any-return]
    raise NotTried(f"No answer is written down for case {task.case_key!r}, and there is no default answer.")


def wait(seconds: float, request: Request) -> None:
    """Wait, but not longer than the request allows. Raises AgentFailed at its end, Cancelled when asked to stop."""
    allowed = seconds if request.seconds is None else min(seconds, request.seconds)
    deadline = time.monotonic() + allowed
    while (remaining := deadline - time.monotonic()) > 0:
        if request.is_cancelled():
            raise Cancelled
        time.sleep(min(remaining, LOOK_SECONDS))
    if allowed < seconds:
        raise AgentFailed("The agent took longer than the task allows.", "timeout")
