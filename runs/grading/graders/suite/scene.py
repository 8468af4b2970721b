"""What the graders of task suites look at: the trajectory of a trial with what its task says."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from packs.formats.task import GraderSpec
from runs.agents.tools.submission import NAME as SUBMIT
from runs.grading.graders.comparison import finish
from runs.grading.graders.contract import Grade, Judgement, decided, infra_error, pack_error, unavailable
from runs.grading.graders.evidence import Evidence, Judged, ToolCall
from runs.grading.graders.evidence.durations import moment
from runs.grading.graders.evidence.recording import Recording
from runs.replay.trajectories.calls import OK, STATUSES, Call, Step, Trajectory
from runs.replay.trajectories.facts import FINISHED, OVER_BUDGET, Scene
from runs.replay.trajectories.matching import Unmatchable

OVER_LIMIT = frozenset({"timeout", "step_limit", "tool_limit", "token_limit", "cost_limit"})

# Of many checks the grade keeps these.
MAX_TOLD = 200


class Missing(Exception):
    """Evidence that is not there; the message says what would bring it."""


class Pending(Missing):
    """Evidence that so many people have still to give: nothing is wrong without it."""

    def __init__(self, message: str, needed: int) -> None:
        super().__init__(message)
        self.needed = needed


class Unreached(Exception):
    """A judge that could not be asked; the message says why."""


class Broken(Exception):
    """Our machine failed, so nothing is known; the message says how."""


class Misconfigured(Exception):
    """A grader that its author must fix."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One grader's view of a trial: its own fields, the scene, and evidence that came with a recorded trial."""

    key: str
    grader: Mapping[str, Any]
    scene: Scene
    recording: Recording
    files: Mapping[str, str]
    dimensions: Sequence[str] = ()
    judged: Mapping[str, Judged] = field(default_factory=dict)
    instructions: str = ""

    @property
    def supplied(self) -> Mapping[str, Any]:
        return self.recording.supplied

    def texts(self, name: str) -> list[str]:
        """The texts of a field that is a list."""
        value = self.grader.get(name)
        return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

    def file(self, path: str) -> str | None:
        """The text of a file of the workspace; None for one that is not there. Raises Missing when nobody looked."""
        known = self.supplied.get("files")
        if isinstance(known, Mapping) and isinstance(known.get(path), str):
            return str(known[path])
        captured = self.recording.files.get(path)
        if captured is not None:
            return captured.content if captured.exists else None
        if isinstance(known, Mapping):
            return None
        raise Missing(f"nobody looked at the file {path!r}")

    def target(self) -> str:
        """The text that is judged: the final message, or a file. Raises Missing."""
        name = self.grader.get("target", "final_message")
        if name == "final_message":
            if self.scene.trajectory.final_message is not None:
                return self.scene.trajectory.final_message
            if self.recording.completed is False:
                # An agent that failed has said nothing, and that can be judged.
                return ""
            raise Missing("the agent gave no final message")
        content = self.file(str(name))
        if content is None and name not in self.recording.files:
            raise Missing(f"there is no file {name!r}")
        # A file that the agent did not leave holds nothing.
        return content or ""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at, and whether it holds."""

    name: str
    passed: bool
    expected: Any = None
    actual: Any = None

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.name, "passed": self.passed, "expected": self.expected, "actual": self.actual}


def from_checks(checks: Sequence[Check], **raw: Any) -> Judgement:
    """A pass when every check holds; the score is the share of those that do."""
    if not checks:
        return pack_error("the grader has nothing to check")
    failed = [check for check in checks if not check.passed]
    return judged(not failed, (len(checks) - len(failed)) / len(checks), described(failed), checks, **raw)


def judged(passes: bool, score: float, reason: str, checks: Sequence[Check] = (), **raw: Any) -> Judgement:
    """A pass or a fail with a score of its own and what was looked at."""
    return decided(passes, reason, score=score, checks=[check.as_dict() for check in checks[:MAX_TOLD]], **raw)


def described(failed: Sequence[Check]) -> str:
    """What did not hold, in a line."""
    names = ", ".join(check.name for check in failed[:5])
    return f"{names} did not hold" + (f", and {len(failed) - 5} more" if len(failed) > 5 else "") if failed else ""


def grade_with(judge: Callable[[Trial], Judgement]) -> Callable[[GraderSpec, Evidence], Grade]:
    """A grader from a judgement of a trial: missing evidence makes it unavailable, a bad field the author's mistake."""

    def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
        try:
            return finish(spec, judge(trial_of(spec, evidence)))
        except Pending as pending:
            return finish(spec, unavailable(str(pending), pending=True, needed=pending.needed))
        except Missing as missing:
            return finish(spec, unavailable(str(missing)))
        except Unreached as unreached:
            return finish(spec, infra_error(f"a judge could not be asked: {unreached}"))
        except Broken as broken:
            return finish(spec, infra_error(str(broken)))
        except (Misconfigured, Unmatchable) as trouble:
            return finish(spec, pack_error(str(trouble)))

    return grade


def trial_of(spec: GraderSpec, evidence: Evidence) -> Trial:
    """The trial as one grader sees it."""
    config = spec.config or {}
    recording = evidence.recording
    supplied = recording.supplied
    # Values are planted by us or come with a recorded trial; where neither is so, nobody can look for them.
    planted = supplied.get("secrets") if supplied else config.get("secrets")
    secrets = {str(name): str(value) for name, value in planted.items()} if isinstance(planted, Mapping) else {}
    inputs = config.get("inputs") or {}
    scene = Scene(
        trajectory=trajectory_of(recording),
        inputs=inputs if isinstance(inputs, Mapping) else {},
        budgets=config.get("budgets") or {},
        secrets=secrets,
        supplied=_mapping(supplied.get("facts")),
        is_watched=not supplied,
    )
    asked = f"{spec.key}/"
    return Trial(
        spec.key,
        _mapping(config.get("grader")),
        scene,
        recording,
        _mapping(config.get("files")),
        config.get("dimensions") or (),
        {key.removeprefix(asked): judged for key, judged in evidence.judged.items() if key.startswith(asked)},
        config.get("instructions") or "",
    )


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def trajectory_of(recording: Recording) -> Trajectory:
    """What the agent did, from the events of its trial."""
    # To hand in the answer is no use of a tool, but how a model that the studio drives ends its work.
    calls = [call_of(call) for call in recording.tool_calls if recording.supplied or call.name != SUBMIT]
    return Trajectory(
        calls=calls,
        steps=list(_steps(recording)),
        turns=recording.steps or len(recording.model_calls) or len(calls),
        tokens_in=recording.tokens.input,
        tokens_out=recording.tokens.output,
        wall_seconds=recording.seconds,
        first_token_seconds=seconds_between(recording.started_at, recording.first_output_at),
        cost_usd=_cost(recording),
        termination=_termination(recording),
        flags=_flags(recording),
        final_message=recording.final_output,
    )


def call_of(call: ToolCall) -> Call:
    """A tool call in the words of a trace."""
    status = call.status if call.status in STATUSES else ""
    if not status:
        status = "denied" if call.is_out_of_scope else "error" if call.failed else OK
    return Call(call.name, call.arguments, status, call.retries, call.agent, place=call.sequence)


def _steps(recording: Recording) -> Iterator[Step]:
    for payload in recording.model_calls:
        usage, timing = _mapping(payload.get("usage")), _mapping(payload.get("timing"))
        text = payload.get("output_text")
        yield Step(
            kind="model",
            tokens_in=_number(usage.get("input_tokens")),
            tokens_out=_number(usage.get("output_tokens")),
            latency_ms=_number(timing.get("total_latency_ms")),
            first_token_ms=_number(timing.get("ttft_ms")),
            text=text if isinstance(text, str) else "",
        )


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _cost(recording: Recording) -> float | None:
    costs = [_number(_mapping(payload.get("usage")).get("cost_usd")) for payload in recording.model_calls]
    known = [cost for cost in costs if cost is not None]
    stated = _number(recording.supplied.get("cost_usd"))
    return stated if stated is not None else sum(known) if known else None


def _termination(recording: Recording) -> str:
    stated = recording.supplied.get("termination")
    if isinstance(stated, str) and stated:
        return stated
    if recording.completed:
        return FINISHED
    return OVER_BUDGET if recording.stop_reason in OVER_LIMIT else "agent_error"


def _flags(recording: Recording) -> list[Mapping[str, Any]]:
    flags = recording.supplied.get("safety_flags")
    listed = flags if isinstance(flags, list) else []
    return [flag if isinstance(flag, Mapping) else {"kind": str(flag)} for flag in listed]


def seconds_between(start: Any, end: Any) -> float | None:
    """Seconds between two moments, as events carry them; None where one cannot be read."""
    first, last = moment(start), moment(end)
    return None if first is None or last is None else max(0.0, (last - first).total_seconds())
