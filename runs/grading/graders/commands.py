"""Commands that graders have run after the agent ended, and what is recorded of them (challenge-pack d.3, h.3).

A grader itself runs nothing: it says what is to be run, the engine runs it in the sandbox and records a
`grader.verification.code_executed` event, and the grader judges that event like all other evidence.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from packs.formats.task import Task, WorkspaceFile
from runs.grading.graders.outputs import count_tests
from runs.sandbox.contract import MAX_OUTPUT_BYTES, CommandResult, Stop

# Of longer outputs the event keeps the beginning and the end.
MAX_KEPT = 64 * 1024
# Why a command counts as stopped that left nothing of the workspace.
DELETED = "deleted_workspace"
# Told of a program that had to be stopped: whether it ends by itself in a workspace that the agent never touched.
ENDS_UNTOUCHED = "ends_untouched"


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """That a program may ask models, at most `most_calls` times.

    `model` is asked where it names none; `names` are those that it may name, None for any. It finds the address in
    `url_variable`, and what it must show in `token_variable`.
    """

    model: str
    names: tuple[str, ...] | None = None
    most_calls: int = 50
    url_variable: str = "AGENTV_TARGET_PROXY_URL"
    token_variable: str = "AGENTV_TARGET_PROXY_TOKEN"

    def allows(self, model: str) -> bool:
        """Whether the program may name a model."""
        return self.names is None or model == self.model or model in self.names


@dataclass(frozen=True, slots=True)
class GraderCommand:
    """A command that a grader needs the result of.

    `key` is the grader's, `target` what it judges and `target_path` where that lies. `arguments` is an argument
    list. `files` are hidden from the agent: with any, the command runs in a workspace of its own that begins as the
    agent left the first one. One that `is_fresh` needs nothing of the agent's workspace and runs in one that nobody
    has used. `facts` are recorded with the result. With a `directory`, a folder of the pack ("" is its own), the
    command starts there and may read the material of the task, and beside it the `attachments` by their names;
    `variables` are given to it. `paths` are members that the JSON object on standard input gets: each with an
    attachment or a file of the pack, of which the program is told where it lies. Of its standard output `kept`
    characters are kept; one that writes more than `most_output` bytes is stopped. With `access` it may ask models.
    `texts` are what shells are told to run, and `tests` the names of tests: they say which files belong to graders, and
    which reports of pytest are waited for. `stand_ins` are programs that run in the place of others that are missing.
    """

    key: str
    arguments: tuple[str, ...]
    seconds: float
    target: str = ""
    target_path: str = ""
    stdin: bytes = b""
    files: tuple[WorkspaceFile, ...] = ()
    is_fresh: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
    directory: str | None = None
    variables: Mapping[str, str] = field(default_factory=dict)
    attachments: Mapping[str, bytes] = field(default_factory=dict)
    paths: Mapping[str, str] = field(default_factory=dict)
    kept: int = MAX_KEPT
    most_output: int = MAX_OUTPUT_BYTES
    access: ModelAccess | None = None
    texts: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    stand_ins: Mapping[str, str] = field(default_factory=dict)

    def moved(self, here: str, there: str) -> "GraderCommand":
        """The same for a workspace in another folder."""
        variables = {name: value.replace(here, there) for name, value in self.variables.items()}
        return replace(self, stdin=self.stdin.replace(here.encode(), there.encode()), variables=variables)

    def without(self) -> str:
        """Why a grader cannot judge whose command nobody ran."""
        return f"the command {self.arguments[0]!r} was not run"

    def described(self, place: Callable[[str], str]) -> bytes:
        """The standard input, where `place` says of a file of the pack where it lies."""
        if not self.paths:
            return self.stdin
        return orjson.dumps({**orjson.loads(self.stdin), **{name: place(path) for name, path in self.paths.items()}})

    def payload(self) -> dict[str, Any]:
        """What is known before it runs."""
        return {
            "validator_key": self.key,
            "target": self.target,
            "target_path": self.target_path,
            "timeout_ms": round(self.seconds * 1000),
            **self.facts,
        }

    def completed(self, result: CommandResult) -> dict[str, Any]:
        """The payload of its event."""
        stdout, stderr = (data.decode("utf-8", "replace") for data in (result.stdout, result.stderr))
        reported: dict[str, Any] = {
            **self.payload(),
            "exit_code": result.exit_code,
            "stdout": kept(stdout, self.kept),
            "stderr": kept(stderr),
            "timed_out": result.stop is Stop.TIMEOUT,
            **counts(stdout, stderr),
            **({"left_input": True} if result.left_input else {}),
        }
        return reported if result.stop in (Stop.NONE, Stop.TIMEOUT) else {**reported, "stopped": result.stop.value}

    def not_started(self, error: str, *, is_missing: bool = False) -> dict[str, Any]:
        """The payload of the event of a command that could not be started: by our machine's fault, or because it
        `is_missing`."""
        reported = {**self.payload(), "timed_out": False, "execution_error": error}
        return {**reported, "missing_program": True} if is_missing else reported


def was_stopped(payload: Mapping[str, Any]) -> bool:
    """Whether a program did not end by itself, or before it had all its input."""
    return any(payload.get(name) for name in ("timed_out", "stopped", "left_input"))


def counts(stdout: str, stderr: str) -> dict[str, int]:
    """How many tests passed, from whichever output says so; empty when none does."""
    counted = count_tests(stdout) or count_tests(stderr) or count_tests(f"{stdout}\n{stderr}")
    names = ("passed_tests", "failed_tests", "error_tests", "total_tests")
    return dict(zip(names, counted, strict=True)) if counted else {}


def kept(text: str, most: int = MAX_KEPT) -> str:
    """A text that is not too long: of a longer one the beginning and the end."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n[{len(text) - most} characters left out]\n{text[-half:]}"


def with_tester_policy(task: Task, policy: Mapping[str, Any]) -> Task:
    """A task whose checkers may run what a tester's policy allows."""
    if not policy:
        return task
    graders = [
        replace(grader, config={**(grader.config or {}), "tester_policy": dict(policy)})
        if "needed_commands" in (grader.config or {})
        else grader
        for grader in task.graders
    ]
    return replace(task, graders=tuple(graders))
