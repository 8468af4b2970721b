"""What is done to a workspace before its agent, after it, and at the end (agentv D.4, in this order).

Every trial has a workspace of its own, whatever isolation its plan states: trials run beside each other and on several
machines. Under shared isolation the hooks that are suite-wide run in each, and are told what suite-wide hooks are told.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from packs.formats.hooks import AFTER_ALL, AFTER_EACH, BEFORE_ALL, BEFORE_EACH, PER_TEST
from packs.formats.task import Hook, Task, WorkspacePlan
from runs.agents.contract import Cancelled, never
from runs.engine.recorder import Recorder
from runs.engine.workspace.baseline import Baseline, take_baseline
from runs.engine.workspace.hooks import HookRunner, trouble_of
from runs.engine.workspace.material import Material
from runs.engine.workspace.repositories import Cloning, place_of
from runs.engine.workspace.site import SetupFailed, Site
from runs.grading.graders import NEEDS
from runs.sandbox.contract import Command, PathRefused, Stop, Workspace, WorkspaceFull

CHECK_SECONDS = 30.0
STATIC = "static"
FOUND_MODULE = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"


def has_upkeep(task: Task) -> bool:
    """Whether a task says more of its workspace than the files, or has graders that look at what became of it."""
    return task.environment.workspace is not None or any(spec.kind in NEEDS for spec in task.graders)


@dataclass(slots=True)
class Upkeep:
    """Looks after the workspace of one trial."""

    task: Task
    workspace: Workspace
    recorder: Recorder
    material: Material
    site: Site = field(default_factory=Site)
    is_cancelled: Callable[[], bool] = never
    baseline: Baseline | None = None

    @property
    def plan(self) -> WorkspacePlan:
        return self.task.environment.workspace or WorkspacePlan()

    def prepare(self) -> None:
        """Everything that comes before the agent. Raises SetupFailed, Cancelled, and what the sandbox raises."""
        if self.plan.mode == STATIC:
            raise SetupFailed(
                "The workspace is a folder on the machine that runs the suite (mode static). A studio has none: "
                "use a template or repositories.",
                "setup_error",
            )
        for repository in self.plan.repositories:
            self._cloning().place(repository)
        self._check_needs()
        for hook in self._hooks(BEFORE_ALL):
            self._hook(hook)
        for hook in self._hooks(BEFORE_EACH):
            self._hook(hook)
        self._check_repositories()
        self.baseline = take_baseline(self.workspace)

    def take_stock(self) -> None:
        """Tell what the agent changed, then run what comes after it and before the graders."""
        reported = {"workspace_path": self.workspace.working_directory}
        self.recorder.tell("workspace.changed", {**reported, **self._changed()})
        for hook in self._hooks(AFTER_EACH):
            self._hook(hook)

    def _changed(self) -> dict[str, Any]:
        try:
            return {} if self.baseline is None else self.baseline.changes(self.workspace).as_dict()
        except WorkspaceFull as error:
            return {"error": str(error)}

    def close(self) -> None:
        """What comes at the very end; per test nothing does."""
        if self.plan.isolation != PER_TEST:
            for hook in self._hooks(AFTER_ALL):
                self._hook(hook)

    def _hooks(self, point: str) -> list[Hook]:
        return [hook for hook in self.plan.hooks if hook.point == point and hook.agent in ("", self.site.agent)]

    def _hook(self, hook: Hook) -> None:
        """The reset of a hook, then its command."""
        if hook.reset != "none" and hook.point in (BEFORE_EACH, AFTER_EACH):
            self._reset(hook)
        if hook.command:
            runner = HookRunner(self.task, self.workspace, self.recorder, self.material, self.site, self.is_cancelled)
            runner.run(hook)

    def _reset(self, hook: Hook) -> None:
        """Under shared isolation each repository is reset, otherwise the workspace but for its repositories."""
        repositories = [place_of(repository) for repository in self.plan.repositories]
        paths = ["."] if self.plan.isolation == PER_TEST else repositories
        reported = {"hook": hook.point, "mode": hook.reset, "paths": paths}
        try:
            if self.plan.isolation != PER_TEST:
                for path in paths:
                    self._cloning().reset(path, is_strict=hook.reset == "strict")
            elif self.baseline is not None:
                self.baseline.restore(self.workspace, tuple(repositories))
        except (SetupFailed, WorkspaceFull, PathRefused) as error:
            if hook.point == BEFORE_EACH:
                raise
            # What the agent left, a deleted repository say, is not the pack's fault.
            reported["error"] = str(error)
        self.recorder.tell("workspace.reset", reported)

    def _cloning(self) -> Cloning:
        directory = str(self.task.hidden.get("folder", ""))
        return Cloning(self.workspace, self.recorder, self.material, self.site, directory, self.is_cancelled)

    def _check_repositories(self) -> None:
        """Hooks may change repositories, but a trial without them is none. Raises SetupFailed."""
        for path in map(place_of, self.plan.repositories):
            if self.workspace.list_directory(path, recursive=False) is None:
                raise SetupFailed(f"A hook deleted the repository {path!r}.", "script_error")

    def _check_needs(self) -> None:
        """The commands and modules that the task cannot do without. Raises SetupFailed and Cancelled."""
        needed = [(name, ["sh", "-c", 'command -v "$1"', "sh", name]) for name in self.plan.required_commands]
        modules = self.plan.required_python_modules
        needed += [(name, ["python3", "-c", FOUND_MODULE, name]) for name in modules]
        for name, arguments in needed:
            trouble = self._trouble_with(name, arguments)
            if trouble:
                raise SetupFailed(trouble, "preflight_error")

    def _trouble_with(self, name: str, arguments: list[str]) -> str:
        """Why something that is needed cannot be used; empty where it can. Raises Cancelled."""
        try:
            result = self.workspace.run(Command(arguments, timeout=CHECK_SECONDS, is_cancelled=self.is_cancelled))
        except OSError as error:
            return f"{arguments[0]} cannot be started: {error.strerror or error}."
        if result.stop is Stop.CANCELLED:
            raise Cancelled
        if result.stop:
            return f"Looking for {name!r}, which the workspace needs, {trouble_of(result, CHECK_SECONDS)}."
        return f"The workspace needs {name!r}, which is not there." if result.exit_code else ""
