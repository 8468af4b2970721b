"""Who sees what of a case, side by side: made from the same compiled task that a run uses, whatever its format."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from packs.formats.hooks import payload_of
from packs.formats.leaks import Leak
from packs.formats.task import EXECUTING, GraderSpec, Task, WorkspaceFile


class Lane(StrEnum):
    """How far a value or file gets: to the agent; to the sandbox once the agent has ended; to graders only."""

    PUBLIC = "public"
    STAGED = "staged"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Value:
    """A named value on a side. Where it `is_withheld`, the side sees that there is one, and not what it is."""

    name: str
    lane: Lane
    value: Any = None
    is_withheld: bool = False
    is_leaked: bool = False


@dataclass(frozen=True, slots=True)
class Placed:
    """A file on a side."""

    file: WorkspaceFile
    lane: Lane
    is_leaked: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """What one of those who deal with a case sees of it. `key` is agent, test_sandbox, evaluator or result.

    `prompt` is what is said to it; None where nobody speaks.
    """

    key: str
    label: str
    about: str
    prompt: str | None = None
    prompt_is_leaked: bool = False
    values: tuple[Value, ...] = ()
    files: tuple[Placed, ...] = ()


def sides(task: Task, found: Iterable[Leak] = ()) -> tuple[Side, ...]:
    """The four sides of a task; `found` are its leaks, which are marked where they stand."""
    leaked = {leak.place for leak in found}
    return (_agent(task, leaked), _test_sandbox(task), _evaluator(task), _result(task))


def _agent(task: Task, leaked: set[str]) -> Side:
    shown = [Value(name, Lane.PUBLIC, value, is_leaked="context" in leaked) for name, value in task.visible.items()]
    shown += _named(Lane.PUBLIC, tools=task.for_agent()["tools"], tool_policy=task.environment.tool_policy)
    files = [Placed(file, Lane.PUBLIC, file.path in leaked) for file in task.environment.files]
    about = "Everything that it is told and finds in its workspace."
    return Side("agent", "Agent", about, task.prompt, "prompt" in leaked, tuple(shown), tuple(files))


def _test_sandbox(task: Task) -> Side:
    """The sandbox after the agent has ended: its workspace as it was left, with what graders put into it."""
    executing = [grader for grader in task.graders if grader.kind in EXECUTING]
    hooks, material = list(_hooks(task)), [Placed(file, Lane.STAGED) for file in task.environment.material]
    if not executing and not task.staged and not hooks and not material:
        return Side("test_sandbox", "Test sandbox", "Nothing is run after the agent has ended.")
    values = [Value(name, Lane.PUBLIC, value) for name, value in task.visible.items()]
    values += [Value(name, Lane.STAGED, value) for name, value in task.staged.items()]
    if not task.staged:
        values += [Value(grader.key, Lane.STAGED, _settings(grader)) for grader in executing]
    values += hooks
    public = [Placed(file, Lane.PUBLIC) for file in task.environment.files]
    known = {placed.file.path for placed in public}
    added = [Placed(file, Lane.STAGED) for grader in executing for file in grader.files if file.path not in known]
    about = "What the agent left, joined by what is staged once it has ended."
    return Side("test_sandbox", "Test sandbox", about, values=tuple(values), files=(*public, *added, *material))


def _hooks(task: Task) -> Iterator[Value]:
    """The hooks of the workspace with what each will be told; the agent sees nothing of them but what they leave."""
    plan, place = task.environment.workspace, task.environment.working_directory
    for hook in plan.hooks if plan is not None else ():
        reported = payload_of(task, hook, place, "the key of the run")
        facts = {"command": list(hook.command), "directory": hook.directory, "reset": hook.reset, "input": reported}
        whose = f" of {hook.agent}" if hook.agent else ""
        yield Value(f"hook {hook.point}{whose}", Lane.STAGED, {name: part for name, part in facts.items() if part})


def _evaluator(task: Task) -> Side:
    """Graders and judges in the worker: nothing of this is written into a workspace."""
    values = [Value(name, Lane.PUBLIC, value) for name, value in task.visible.items()]
    values += [Value(name, Lane.HIDDEN, value) for name, value in task.hidden.items()]
    values += _named(
        Lane.HIDDEN,
        reference_answer=task.reference,
        reference_files=task.reference_files,
        graders={grader.key: _settings(grader) for grader in task.graders if grader.kind not in EXECUTING},
        judges={judge.key: {"mode": judge.mode, "text": judge.text} for judge in task.judges},
        conversation=task.conversation,
        security=task.security,
    )
    about = "What graders and judges compare with. It stays in the worker and is never written into a workspace."
    return Side("evaluator", "Evaluator", about, values=tuple(values))


def _result(task: Task) -> Side:
    values = [Value(name, Lane.PUBLIC, value) for name, value in task.visible.items()]
    values += [Value(name, Lane.STAGED, is_withheld=True) for name in task.staged]
    values += [Value(name, Lane.HIDDEN, is_withheld=True) for name in task.hidden]
    about = "What is told of the case beside an answer; members of the team find the whole document at its trial."
    return Side("result", "Results", about, values=tuple(values))


def _settings(grader: GraderSpec) -> dict[str, Any]:
    reported = {"kind": grader.kind, "target": grader.target, "expected": grader.expected, "config": grader.config}
    return {name: part for name, part in reported.items() if part}


def _named(lane: Lane, **values: Any) -> Iterator[Value]:
    """Values that are there."""
    return (Value(name, lane, value) for name, value in values.items() if value)
