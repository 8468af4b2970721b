"""One trial from the first event to the verdict."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from packs.formats.task import Task
from runs.agents.contract import (
    AgentFailed,
    Cancelled,
    NotTried,
    PackProblem,
    Reply,
    Request,
    Unreachable,
    needs_workspace,
    never,
)
from runs.agents.endpoints.contract import Endpoint
from runs.engine.budgets import LIMITS, Spending
from runs.engine.conversation.playing import PersonMissing, converse
from runs.engine.conversation.script import ROLE, Phase, Script, Turn
from runs.engine.conversation.simulating import Player, SimulatorFailed
from runs.engine.conversation.waiting import PersonAwaited, Resumption, Wait, keep_files
from runs.engine.entrant import Entrant
from runs.engine.events import SOURCES, Event
from runs.engine.judging import judge
from runs.engine.limiter import TakeTurn, at_once, only_waits, works_on_files
from runs.engine.outcome import Ending, Outcome, Verdict
from runs.engine.recorded import copy_recording
from runs.engine.recorder import Emit, Recorder, now
from runs.engine.redaction import DiscreetRecorder, shown_outcome
from runs.engine.remains import look_at
from runs.engine.rooms import ReadAsset, room_of, without_assets
from runs.engine.verification import Aftermath
from runs.engine.workspace import Material, Site, Upkeep, has_upkeep, material_of
from runs.grading.judges import Bench
from runs.replay.causes import NOT_RECORDED, Cause, Fault, Group, cause
from runs.replay.redaction import Redactor
from runs.sandbox.contract import PathRefused, Room, Sandbox, SandboxUnavailable, Workspace, WorkspaceFull

# What keeps a trial from its end without being the agent's doing. An `Unreachable` says itself what it means.
TROUBLES: Mapping[type[Exception], Cause] = {
    PackProblem: cause(Group.TRIAL, "pack"),
    PathRefused: cause(Group.TRIAL, "pack"),
    WorkspaceFull: cause(Group.TRIAL, "pack"),
    Unreachable: cause(Group.TRIAL, "configuration"),
    SandboxUnavailable: cause(Group.TRIAL, "sandbox"),
    SimulatorFailed: cause(Group.TRIAL, "simulator"),
    PersonMissing: cause(Group.TRIAL, "person"),
}


def ignore(event: Event) -> None:
    """Keeps no event."""


def run_trial(  # noqa: PLR0913 - all that a trial gets from outside, each by its name
    task: Task,
    entrant: Entrant,
    sandbox: Sandbox,
    emit: Emit,
    *,
    read_asset: ReadAsset = without_assets,
    is_cancelled: Callable[[], bool] = never,
    bench: Bench | None = None,
    resumption: Resumption | None = None,
    site: Site | None = None,
    take_turn: TakeTurn = at_once,
) -> Outcome:
    """Run a task once and grade what happened, or go on with a trial that waited for a person.

    `emit` is given every new event as it happens, numbered from 1; `bench` is how judges and simulated users are asked;
    `site` says what the workspace may be made from; `take_turn` is called before the trial does more than wait.
    Trouble of the agent, of the pack and of our machine becomes part of the outcome; any other exception is a mistake
    in this code and comes through.
    """
    bench = bench or Bench()
    recorder = recorder_of(task, emit, entrant.redactor)
    place = site or Site()
    attempt = Attempt(task, entrant, sandbox, recorder, read_asset, is_cancelled, bench, resumption, place, take_turn)
    ending = attempt.perform()
    if ending.waits_for is not None:
        return Outcome(Verdict.WAITING, stop_reason="", usage=recorder.spending.usage(), waits_for=ending.waits_for)
    return settle(task, ending, recorder, bench)


def recorder_of(task: Task, emit: Emit, redactor: Redactor | None = None) -> Recorder:
    """Who writes down what happens in a trial of a task."""
    spending = Spending(task.budgets, task.scoring.prices)
    return DiscreetRecorder(SOURCES[task.environment.mode], emit, spending, redactor=redactor or Redactor())


def settle(task: Task, ending: Ending, recorder: Recorder, bench: Bench) -> Outcome:
    """Judge a trial and say what it used up; where its budgets are decisive, passing one is a fail in any case."""
    outcome, spending = judge(task, ending, recorder, bench), recorder.spending
    seconds = outcome.recording.seconds if outcome.recording else None
    passed = ending.stop_reason if ending.stop_reason in LIMITS else spending.exceeded(seconds)
    if passed and task.budgets.are_decisive and ending.fault in (Fault.NONE, Fault.AGENT):
        error = ending.error or spending.described(passed)
        outcome = replace(outcome, verdict=Verdict.FAILED, fault=Fault.AGENT, stop_reason=passed, error=error)
    return shown_outcome(replace(outcome, usage=spending.usage()), recorder)


@dataclass(slots=True)
class Attempt:
    """The agent's part of a trial."""

    task: Task
    entrant: Entrant
    sandbox: Sandbox
    recorder: Recorder
    read_asset: ReadAsset
    is_cancelled: Callable[[], bool]
    bench: Bench = field(default_factory=Bench)
    resumption: Resumption | None = None
    site: Site = field(default_factory=Site)
    take_turn: TakeTurn = at_once
    began: float = 0.0
    worked: float = 0.0
    deadline: float | None = None
    workspace: Workspace | None = None
    aftermath: Aftermath | None = None
    turns: int = 0

    def perform(self) -> Ending:
        """Ask the agent, and tell how that ended."""
        if self.entrant.kind == "recorded":
            return self._take_recording()
        self._begin()
        ending = self._guarded(self._work)
        if ending.waits_for is not None:
            self.recorder.tell("turn.awaiting_human", ending.waits_for.payload)
        elif ending.final_output is None:
            self.recorder.tell("system.run.failed", {**failure(ending), **self._latency()})
        else:
            self._complete(ending)
        return ending

    def _begin(self) -> None:
        """Tell that the trial starts; one that goes on has used up some already."""
        if self.resumption is None:
            self.recorder.tell("system.run.started", self._start())
        else:
            self.recorder.take_up(self.resumption.events)
            self.worked = self.resumption.worked_seconds()
            self.turns = self.resumption.turn

    def _start_clock(self) -> None:
        """The agent's time begins when all is set up for it."""
        seconds = self.task.budgets.wall_seconds
        self.began = time.monotonic() - self.worked
        self.deadline = None if seconds is None else self.began + seconds

    def _take_recording(self) -> Ending:
        reply: Reply | None = None

        def look_up() -> Ending:
            nonlocal reply
            self.take_turn()
            reply = self._ask(self.task.prompt)
            return copy_recording(self.recorder, reply.text, reply.recording)

        def look_at_it() -> Ending:
            assert reply is not None
            look_at(self.task, reply.text, self.recorder, self.sandbox, self.read_asset, reply.left, self.bench)
            return ending

        ending = self._guarded(look_up)
        if reply is not None and reply.is_bare and not ending.error:
            ending = self._guarded(look_at_it)
        if ending.error and not self.recorder.events:
            self.recorder.tell("system.run.started", self._start())
            self.recorder.tell("system.run.failed", failure(ending))
        return ending

    def _guarded(self, work: Callable[[], Ending]) -> Ending:
        """Do the work and keep apart whose fault it is when it does not succeed."""
        try:
            return work()
        except AgentFailed as error:
            return failed(error)
        except Cancelled:
            return Ending(stop_reason="cancelled", error="The run was cancelled.", is_cancelled=True)
        except NotTried as error:
            return Ending(stop_reason=NOT_RECORDED, error=str(error), is_cancelled=True)
        except tuple(TROUBLES) as error:
            return broken(error)

    def _work(self) -> Ending:
        if not only_waits(self.task, self.entrant):
            self.take_turn()
        room = room_of(self.task, self.read_asset)
        with material_of(self.task, self.read_asset) as material:
            if not works_on_files(self.task, self.entrant):
                self.aftermath = self._prepared(None, room, material)
                return self._looked_at(self._answered())
            kept = room if self.resumption is None else replace(room, files=self.resumption.files)
            with self.sandbox.open_workspace(kept) as workspace:
                self.workspace = workspace
                self.aftermath = self._prepared(workspace, room, material)
                return self._work_in(workspace, material)

    def _prepared(self, workspace: Workspace | None, room: Room, material: Material) -> Aftermath:
        """What looks at what the agent left."""
        task, recorder, read_asset = self.task, self.recorder, self.read_asset
        look = Aftermath(task, workspace, recorder, self.sandbox, room, read_asset, self.is_cancelled)

        def prepare(other: Workspace) -> None:
            if has_upkeep(task):
                self._upkeep(other, recorder_of(task, ignore), material).prepare()

        return replace(look, material=material, bench=self.bench, prepare=prepare)

    def _upkeep(self, workspace: Workspace, recorder: Recorder, material: Material) -> Upkeep:
        site = replace(self.site, agent=self.entrant.name)
        return Upkeep(self.task, workspace, recorder, material, site, self.is_cancelled)

    def _work_in(self, workspace: Workspace, material: Material) -> Ending:
        """The agent's part in a workspace, with all that the task says is done to it before and after."""
        upkeep = self._upkeep(workspace, self.recorder, material)
        is_kept_up = has_upkeep(self.task)
        if is_kept_up and self.resumption is None:
            upkeep.prepare()
        ending = self._answered()
        # Whatever the agent closed is opened, so that everybody after it can look at what it left.
        workspace.open_up()
        if ending.waits_for is not None:
            return replace(ending, waits_for=self._keep(ending.waits_for, workspace))
        if is_kept_up:
            upkeep.take_stock()
        ending = self._looked_at(ending)
        upkeep.close()
        return ending

    def _looked_at(self, ending: Ending) -> Ending:
        """The ending, after all that its graders need to have run."""
        self.take_turn()
        if ending.waits_for is None and self.aftermath is not None:
            self.aftermath.verify(ending.final_output)
        return ending

    def _answered(self) -> Ending:
        """What the agent answers, what it waits for, or how it failed: what it left is looked at all the same."""
        self._start_clock()
        try:
            return Ending(self._answer())
        except AgentFailed as error:
            return failed(error)
        except PersonAwaited as awaited:
            return Ending(stop_reason="", waits_for=awaited.wait)
        finally:
            self.worked = time.monotonic() - self.began

    def _keep(self, wait: Wait, workspace: Workspace) -> Wait:
        """The wait with the workspace's files, and an event that says how many."""
        files = keep_files(workspace)
        facts = {"turn_index": wait.turn, "phase_id": wait.phase, "file_count": len(files)}
        self.recorder.tell("turn.state.captured", {**facts, "bytes": sum(map(len, files.values()))})
        return replace(wait, files=files)

    def _answer(self) -> str:
        if self.task.conversation is None:
            return self._ask(self.task.prompt).text
        if not self.entrant.agent.CONVERSES:
            raise PackProblem(f"An agent of kind {self.entrant.kind!r} cannot take part in a conversation.")
        script = Script.read(self.task.conversation)
        player = Player(self._find_player, self.task.visible, self._time_left, self.is_cancelled, self.recorder.shown)
        return converse(script, self._ask_in_turn, self.recorder, player, self.resumption, self._has_failed_turn)

    def _has_failed_turn(self) -> bool:
        """Judge the turn that was just played. What that takes is not the agent's time."""
        began = time.monotonic()
        has_failed = self.aftermath is not None and self.aftermath.has_failed_turn()
        spent = time.monotonic() - began
        self.began += spent
        self.deadline = None if self.deadline is None else self.deadline + spent
        return has_failed

    def _find_player(self, phase: Phase) -> tuple[Endpoint, str] | None:
        """Who plays the user in a phase: the model that it names, what was chosen for the run, or the agent's own."""
        name = phase.model or ROLE
        endpoint = self.bench.endpoints(name)
        if endpoint is not None:
            return endpoint, name
        if phase.model or self.entrant.endpoint is None:
            return None
        return self.entrant.endpoint, str(self.entrant.config.get("model", ""))

    def _ask_in_turn(self, turn: Turn, history: tuple[dict[str, str], ...]) -> str:
        expected, is_exact = turn.wanted()
        return self._ask(turn.message, turn=turn.index, history=history, expected=expected, is_exact=is_exact).text

    def _ask(self, message: str, **more: Any) -> Reply:
        """One reply. Raises what the agent raises, and AgentFailed when the time is over."""
        if self.is_cancelled():
            raise Cancelled
        if self.aftermath is not None and self.aftermath.material is not None:
            self.aftermath.material.put_away()
        request = Request(
            task=self.task,
            message=message,
            seconds=self._time_left(),
            steps=self.recorder.spending.steps,
            workspace=self.workspace,
            endpoint=self.entrant.endpoint,
            web=self.entrant.web,
            secrets=self.entrant.secrets,
            redactor=self.entrant.redactor,
            record=self.recorder.record,
            is_cancelled=self.is_cancelled,
            **more,
        )
        reply = self.entrant.agent.respond(self.entrant.config, request)
        self._time_left()
        self.turns += 1
        return reply

    def _time_left(self) -> float | None:
        if self.deadline is None:
            return None
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise AgentFailed("The agent took longer than the task allows.", "timeout")
        return left

    def _start(self) -> dict[str, Any]:
        in_sandbox = needs_workspace(self.entrant.agent, self.task)
        return {
            "deployment_type": self.entrant.kind,
            **({"agent_name": self.entrant.name} if self.entrant.name else {}),
            "execution_target": "sandbox" if in_sandbox else "worker",
            **({"isolation": self.sandbox.ISOLATION.value} if in_sandbox else {}),
            "trace_mode": "structured",
            "started_at": now().isoformat(),
            "execution_mode": self.task.environment.mode,
        }

    def _complete(self, ending: Ending) -> None:
        output = ending.final_output
        self.recorder.tell("system.output.finalized", {"final_output": output, "source": "agent"})
        spending = self.recorder.spending
        counts = {"step_count": spending.steps or self.turns, "tool_call_count": spending.tool_calls}
        payload = {"final_output": output, "stop_reason": ending.stop_reason, **counts, **spending.tokens}
        self.recorder.tell("system.run.completed", {**payload, **self._latency()})

    def _latency(self) -> dict[str, int]:
        """The agent's time: that between the events holds set-up and graders as well, and the thoughts of people."""
        return {"latency_ms": round(self.worked * 1000)} if self.began else {}


def failed(error: AgentFailed) -> Ending:
    """How a trial ends whose agent failed."""
    return Ending(stop_reason=error.stop_reason, error=str(error), fault=Fault.AGENT)


def broken(error: Exception) -> Ending:
    """How a trial ends that one of `TROUBLES` kept from being tried or judged."""
    found = next(meaning for kind, meaning in TROUBLES.items() if isinstance(error, kind))
    reason = error.stop_reason if isinstance(error, Unreachable) else found.stop_reason
    return Ending(stop_reason=reason, error=str(error), fault=found.fault, facts=getattr(error, "facts", {}))


def failure(ending: Ending) -> dict[str, Any]:
    """The payload of `system.run.failed`. It says whose trouble that was, for re-scores."""
    return {"error": ending.error, "stop_reason": ending.stop_reason, "fault": ending.fault.value, **ending.facts}
