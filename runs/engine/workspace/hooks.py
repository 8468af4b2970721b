"""Hooks: commands of a pack at the four points of a trial's life (agentv D.4)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from packs.formats.hooks import AFTER_ALL, AFTER_EACH, BEFORE_ALL, BEFORE_EACH, payload_of
from packs.formats.task import Hook, Task
from runs.agents.contract import Cancelled, never
from runs.engine.recorder import Recorder
from runs.engine.workspace.material import Material
from runs.engine.workspace.programs import run_program
from runs.engine.workspace.site import SetupFailed, Site
from runs.grading.graders.commands import kept
from runs.sandbox.contract import Command, CommandResult, Stop, Workspace

# A hook that tells more than this is stopped.
MAX_OUTPUT = 1024 * 1024
SHOWN = 2000
STOPS = {
    Stop.TIMEOUT: "took longer than {seconds:g} seconds",
    Stop.OUTPUT_LIMIT: "wrote more than is kept",
    Stop.MEMORY: "used more memory than it may",
    Stop.DISK: "filled the workspace",
    Stop.PROCESSES: "started more processes than it may",
}
_PLACEHOLDER = re.compile(r"\{\{\s*(workspace_path|test_id|eval_run_id|case_input|case_metadata)\s*\}\}")


def filled(argument: str, payload: Mapping[str, Any]) -> str:
    """An argument with its placeholders filled in; what is not there becomes empty."""
    return _PLACEHOLDER.sub(lambda found: _text(payload[found[1]]), argument)


def _text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else orjson.dumps(value, default=str).decode()


@dataclass(frozen=True, slots=True)
class HookRunner:
    """Runs the hooks of one trial, and tells what came of each."""

    task: Task
    workspace: Workspace
    recorder: Recorder
    material: Material
    site: Site
    is_cancelled: Callable[[], bool] = never

    def run(self, hook: Hook) -> None:
        """Run one. Raises SetupFailed when one before the agent fails, and Cancelled; one after it is only reported."""
        payload = payload_of(self.task, hook, self.workspace.working_directory, self.site.run_key)
        arguments = [filled(argument, payload) for argument in hook.command]
        whose = {"agent_name": hook.agent} if hook.agent else {}
        reported = {"hook": hook.point, **whose, "command": arguments, "directory": hook.directory, "input": payload}
        had_files = self._has_files()
        try:
            result = run_program(self.workspace, self._command(hook, arguments, payload))
        except OSError as error:
            trouble, facts = f"cannot be started: {error.strerror or error}", {}
        else:
            trouble, facts = trouble_of(result, hook.timeout_seconds), facts_of(result)
        if not trouble and had_files and not self._has_files():
            trouble = "deleted the workspace"
        self._tell(hook, {**reported, **facts}, trouble)

    def _command(self, hook: Hook, arguments: list[str], payload: Mapping[str, Any]) -> Command:
        return Command(
            arguments,
            stdin=orjson.dumps(payload, default=str),
            directory=self.material.directory(hook.directory),
            timeout=hook.timeout_seconds,
            max_output_bytes=MAX_OUTPUT,
            is_cancelled=self.is_cancelled,
            shared_paths=(self.material.lent.path,),
            own_home=hook.point in (AFTER_ALL, AFTER_EACH),
        )

    def _has_files(self) -> bool:
        return bool(self.workspace.list_directory(".", recursive=False))

    def _tell(self, hook: Hook, reported: dict[str, Any], trouble: str) -> None:
        if self.is_cancelled() and trouble:
            raise Cancelled
        if not trouble:
            self.recorder.tell("workspace.hook.completed", reported)
            return
        whose = f" of {hook.agent}" if hook.agent else ""
        error = f"The hook {hook.point}{whose} {trouble}."
        self.recorder.tell("workspace.hook.failed", {**reported, "error": error})
        if hook.point in (BEFORE_ALL, BEFORE_EACH):
            stderr = str(reported.get("stderr", "")).strip()
            raise SetupFailed(f"{error} {stderr[-SHOWN:]}".strip(), "script_error")


def trouble_of(result: CommandResult, seconds: float) -> str:
    """What went wrong with a hook; empty when nothing did."""
    if result.stop in STOPS:
        return STOPS[result.stop].format(seconds=seconds)
    if result.stop:
        return f"was stopped ({result.stop.value})"
    if result.exit_code < 0:
        return f"was ended by signal {-result.exit_code}"
    if result.exit_code:
        return f"ended with exit code {result.exit_code}"
    return "ended without reading what it is told; it must read its input to the end" if result.left_input else ""


def facts_of(result: CommandResult) -> dict[str, Any]:
    """What is recorded of a hook that ran."""
    stdout, stderr = (kept(data.decode("utf-8", "replace")) for data in (result.stdout, result.stderr))
    stopped = {"stopped": result.stop.value} if result.stop else {}
    return {"exit_code": result.exit_code, "stdout": stdout, "stderr": stderr, **stopped}
