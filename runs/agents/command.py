"""An agent that is a program: the task goes to its standard input, the answer comes from its standard output.

With the protocol `text` the whole standard output is the answer. With `events` every line is a JSON object: either
`{"type": ..., "payload": {...}}`, which is recorded as an event, or `{"final_output": ...}`, which is the answer.
"""

from typing import Any

import orjson

from packs.formats.schema.pieces import mapping, number, strict, text, texts
from runs.agents.contract import AgentFailed, Cancelled, Config, Purpose, Reply, Request, blamed
from runs.replay.causes import Group, cause
from runs.sandbox.contract import Command, CommandResult, SandboxUnavailable, Stop

LABEL = "Command"
HELP = "Runs a program in a workspace of its own: the task as JSON on standard input, the answer on standard output."
PURPOSE = Purpose.OWN
EXAMPLE = "`python3 /opt/agents/answer.py`"
DEFAULT_TIMEOUT = 300
SCHEMA = strict(
    LABEL,
    {
        "arguments": texts(
            "Program and arguments",
            "One entry each; no shell reads them.",
            minItems=1,
            examples=[["python3", "/opt/agents/answer.py"]],
        ),
        "protocol": text(
            "What it writes",
            "text: the answer. events: one JSON object a line.",
            enum=["text", "events"],
            default="text",
        ),
        "timeout_seconds": number("Time limit (seconds)", exclusiveMinimum=0, maximum=86400, default=DEFAULT_TIMEOUT),
        "variables": mapping(
            "Environment variables",
            {"type": "string"},
            "Given to the program; PATH, HOME and LC_CTYPE are always set.",
        ),
    },
    required=["arguments"],
)
CONVERSES = False
NEEDS_WORKSPACE = True
RUNS_PROGRAMS = True
SHOWN_CHARACTERS = 4000


def respond(config: Config, request: Request) -> Reply:
    """What the program answers.

    Raises AgentFailed when it fails or breaks the protocol, Unreachable when it cannot be started.
    """
    if request.workspace is None:
        raise SandboxUnavailable("A command needs a workspace.")
    lines = Lines(request)
    timeout = float(config.get("timeout_seconds", DEFAULT_TIMEOUT))
    command = Command(
        arguments=config["arguments"],
        stdin=orjson.dumps(request.task.for_agent(), default=str) + b"\n",
        variables={**request.task.environment.variables, **config.get("variables", {})},
        timeout=timeout if request.seconds is None else min(timeout, request.seconds),
        on_line=lines.take if config.get("protocol") == "events" else None,
        is_cancelled=request.is_cancelled,
    )
    request.record("sandbox.command.started", {"command": list(config["arguments"])})
    try:
        result = request.workspace.run(command)
    except OSError as error:
        message = f"The program {config['arguments'][0]!r} cannot be started: {error.strerror}."
        request.record("sandbox.command.failed", {"error": message})
        raise blamed(cause(Group.PROGRAM, "not_started"), message) from error
    report(result, request)
    return Reply(lines.answer() if command.on_line else without_last_newline(as_text(result.stdout)))


def report(result: CommandResult, request: Request) -> None:
    """Record how the program ended. Raises what that means for the trial."""
    message = trouble_of(result)
    facts: dict[str, Any] = {"exit_code": result.exit_code, "stderr": as_text(result.stderr)[-SHOWN_CHARACTERS:]}
    if not message:
        request.record("sandbox.command.completed", facts)
        return
    request.record("sandbox.command.failed", {**facts, "timed_out": result.stop is Stop.TIMEOUT, "error": message})
    if result.stop is Stop.CANCELLED:
        raise Cancelled
    raise blamed(cause(Group.PROGRAM, key_of(result)), message)


def key_of(result: CommandResult) -> str:
    """Why a program did not end well, as the table of causes has it."""
    if result.stop is Stop.TIMEOUT:
        return "timeout"
    return "too_much" if result.stop else "crashed"


def trouble_of(result: CommandResult) -> str:
    """What went wrong in words; empty when nothing did."""
    stopped = {
        Stop.TIMEOUT: "The program took longer than its time limit.",
        Stop.CANCELLED: "The run was cancelled.",
        Stop.OUTPUT_LIMIT: "The program wrote more than is kept.",
        Stop.MEMORY: "The program used more memory than it may.",
        Stop.DISK: "The program filled its workspace.",
        Stop.PROCESSES: "The program started more processes than it may.",
    }
    if result.stop:
        return stopped[result.stop]
    if result.exit_code < 0:
        return f"The program was ended by signal {-result.exit_code}."
    return f"The program ended with exit code {result.exit_code}." if result.exit_code else ""


class Lines:
    """Reads the lines of the `events` protocol."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.number = 0
        self.final_output: str | None = None

    def take(self, line: bytes) -> None:
        """One line. Raises AgentFailed for a line that the protocol does not know."""
        self.number += 1
        if not line.strip():
            return
        try:
            entry = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise AgentFailed(f"Line {self.number} of the output is not JSON: {error}.") from error
        if isinstance(entry, dict) and isinstance(entry.get("final_output"), str):
            self.final_output = entry["final_output"]
        elif isinstance(entry, dict) and isinstance(entry.get("type"), str):
            self.record(entry["type"], entry.get("payload", {}))
        else:
            raise AgentFailed(f"Line {self.number} of the output has neither an event type nor a final output.")

    def record(self, event_type: str, payload: Any) -> None:
        if not isinstance(payload, dict):
            raise AgentFailed(f"Line {self.number} of the output: the payload must be an object.")
        self.request.record(event_type, payload)

    def answer(self) -> str:
        if self.final_output is None:
            raise AgentFailed("The program ended without a line that gives its final output.")
        return self.final_output


def as_text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def without_last_newline(text: str) -> str:
    return text.removesuffix("\n").removesuffix("\r")
