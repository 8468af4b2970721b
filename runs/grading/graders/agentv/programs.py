"""code-grader: a program of the pack judges the trial (agentv F.7)."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from packs.formats.values import is_whole, mapping
from runs.grading.graders.agentv.payload import is_long, payload_of
from runs.grading.graders.agentv.rows import Check, ScoreRow, clamped, one
from runs.grading.graders.agentv.scene import Broken, Missing, Raised, Scene, Stopped
from runs.grading.graders.commands import DELETED, ENDS_UNTOUCHED, GraderCommand, ModelAccess
from runs.grading.graders.values import as_number

SECONDS = 300.0
# More than any honest reply needs; a program that writes more is stopped.
MAX_REPLY = 1024 * 1024
# How often a program asks models where it does not say.
MAX_CALLS = 50
# Problems that somebody else must see to, an administrator say.
UNANSWERED = ("not_connected", "limit")
SHOWN_STDERR = 2000
SHOWN = 1000
STOPS = {
    "output_limit": "wrote more than is kept",
    "memory": "used more memory than it may",
    "disk": "filled its workspace",
    "processes": "started more processes than it may",
    DELETED: "deleted the workspace",
}


def judge(scene: Scene) -> ScoreRow:
    """The score that the program gives."""
    payload = scene.executed(command_of(scene))
    try:
        return read_reply(*completed(payload, "the grader"))
    except Raised as raised:
        trouble = failure_of(payload)
        # A program that could not do without the model says nothing of the agent.
        raise trouble or raised from raised


def failure_of(payload: Mapping[str, Any]) -> Exception | None:
    """What kept models from answering a program; None where they all did."""
    asked = mapping(payload.get("asked"))
    if not asked.get("failed"):
        return None
    kind = Missing if asked.get("problem") in UNANSWERED else Broken
    return kind(f"the judge's model failed: {asked.get('error', '')}")


def access_of(scene: Scene) -> ModelAccess | None:
    """The models that the program may ask (agentv F.7); None where the assertion does not say that it may."""
    stated = scene.assertion.get("target")
    if stated is not True and not isinstance(stated, Mapping):
        return None
    most = mapping(stated).get("max_calls")
    names = None if scene.case.targets is None else tuple(map(str, scene.case.targets))
    return ModelAccess(scene.judge, names, int(most) if is_whole(most) else MAX_CALLS)


def command_of(scene: Scene) -> GraderCommand:
    """The program with its input. Raises Raised where there is none, and Missing without an answer to judge."""
    stated = scene.assertion.get("command", scene.assertion.get("script"))
    name, is_told_by_file = f"answers/{scene.key}.txt", is_long(scene)
    return GraderCommand(
        key=scene.key,
        arguments=arguments_of(stated),
        seconds=scene.case.seconds or SECONDS,
        target="workspace",
        stdin=payload_of(scene, without_answer=is_told_by_file),
        directory=str(scene.assertion.get("directory", "")),
        variables=workspace_variables(scene),
        attachments={name: scene.answer.encode()} if is_told_by_file else {},
        paths={"output_path": name} if is_told_by_file else {},
        kept=MAX_REPLY,
        most_output=MAX_REPLY,
        access=access_of(scene),
    )


def workspace_variables(scene: Scene) -> dict[str, str]:
    """What programs of graders find in their environment."""
    path = scene.recording.workspace.get("workspace_path")
    return {"AGENTV_WORKSPACE_PATH": path} if isinstance(path, str) and path else {}


def arguments_of(stated: Any) -> tuple[str, ...]:
    """The arguments of a command; a text is a line for a login shell. Raises Raised."""
    if isinstance(stated, str) and stated.strip():
        return ("sh", "-lc", stated)
    if isinstance(stated, list) and stated:
        return tuple(str(part) for part in stated)
    raise Raised("it has no command")


def completed(payload: Mapping[str, Any], who: str) -> tuple[int, str, str]:
    """Exit code and outputs of a program that ended by itself. Raises Raised, Stopped, Missing and Broken.

    Having to be stopped says nothing of the agent, unless the program does well without what the agent left.
    """
    error = payload.get("execution_error")
    if error:
        if payload.get("problem") in UNANSWERED:
            raise Missing(str(error))
        if payload.get("missing_program"):
            raise Raised(f"{who} could not be started: {error}")
        raise Broken(f"{who} could not be started: {error}")
    trouble = stopped(payload)
    if trouble and payload.get(ENDS_UNTOUCHED):
        raise Raised(f"{who} {trouble}, which it does not where the agent never was")
    if trouble:
        raise Stopped(f"{who} {trouble}")
    code = payload.get("exit_code")
    return code if isinstance(code, int) else 1, str(payload.get("stdout", "")), str(payload.get("stderr", ""))


def stopped(payload: Mapping[str, Any]) -> str:
    """Why a program did not end by itself, or before it had all its input; empty where it ended as it should."""
    if payload.get("timed_out"):
        return f"took longer than {payload.get('timeout_ms', 0) / 1000:g} seconds"
    stop = payload.get("stopped")
    if stop:
        return STOPS.get(str(stop), f"was stopped: {stop}")
    return "ended without reading its standard input to the end" if payload.get("left_input") else ""


def read_reply(code: int, stdout: str, stderr: str) -> ScoreRow:
    """The row that a program's end means. Raises Raised for one that failed itself."""
    reported, reply = stdout.strip(), object_in(stdout)
    if code:
        if stderr.strip() or reply is not None:
            raise Raised(stderr.strip()[-SHOWN_STDERR:] or f"exit code {code}: {reported[:SHOWN]}")
        return one(False, reported[:SHOWN] or f"exit code {code}")
    if reply is None:
        return one(True, reported[:SHOWN] or "exit code 0")
    return from_object(reply)


def from_object(reply: Mapping[str, Any]) -> ScoreRow:
    """The row of a reply that is a JSON object: its score, else the share of its checks that passed."""
    checks, score = tuple(checks_in(reply.get("assertions"))), as_number(reply.get("score"))
    if score is None or score != score:
        score = sum(check.passed for check in checks) / len(checks) if checks else 0.0
    details = reply.get("details")
    return ScoreRow(clamped(score), checks, details=details if isinstance(details, Mapping) else None)


def checks_in(stated: Any) -> Iterator[Check]:
    """The checks of a reply; those without a text are left out."""
    for item in map(mapping, stated if isinstance(stated, list) else ()):
        text = item.get("text")
        if isinstance(text, str) and text:
            evidence = item.get("evidence")
            yield Check(text, bool(item.get("passed")), evidence if isinstance(evidence, str) else "")


def object_in(text: str) -> Mapping[str, Any] | None:
    """The JSON object that a text is; None where it is none."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None
