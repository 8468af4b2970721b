"""Metrics: what each collector takes from the events of a trial (challenge-pack d.5)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from packs.formats.task import Metric, Scoring
from runs.grading.graders.contract import Grade
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.evidence.durations import milliseconds
from runs.grading.scoring.costs import model_cost
from runs.grading.scoring.results import Measured, MetricResult
from runs.grading.scoring.signals import measure_signal


@dataclass(frozen=True, slots=True)
class Trial:
    """What collectors look at."""

    evidence: Evidence
    grades: Sequence[Grade]
    scoring: Scoring


Collector = Callable[[Trial], Measured]


def latency(trial: Trial) -> Measured:
    """From the first start to the last end of the run; a latency that the completion reports wins."""
    recording = trial.evidence.recording
    if recording.milliseconds is not None:
        return Measured(float(int(recording.milliseconds)))
    if recording.started_at is None or recording.ended_at is None:
        return Measured(None, "the start or the end of the run was not recorded")
    return Measured(None, "the times of the run cannot be read")


def _first_output(trial: Trial) -> Measured:
    recording = trial.evidence.recording
    elapsed = milliseconds(recording.started_at, recording.first_output_at)
    return _known(elapsed, "the start of the run or its first output was not recorded")


def _input_tokens(trial: Trial) -> Measured:
    return _known(trial.evidence.recording.tokens.input, "no input tokens were reported")


def _output_tokens(trial: Trial) -> Measured:
    return _known(trial.evidence.recording.tokens.output, "no output tokens were reported")


def _total_tokens(trial: Trial) -> Measured:
    return _known(trial.evidence.recording.tokens.total, "no token total was reported")


def _tool_calls(trial: Trial) -> Measured:
    recording = trial.evidence.recording
    seen = float(len(recording.tool_calls)) or None
    return _known(recording.tool_call_count if recording.tool_call_count is not None else seen, "no tool call was seen")


def _agent_tokens(trial: Trial) -> Measured:
    total = trial.evidence.recording.tokens.total
    if total is None:
        return Measured(None, "no token total was reported")
    return Measured(max(0.0, total - trial.evidence.recording.race_tokens))


def _race_tokens(trial: Trial) -> Measured:
    return Measured(trial.evidence.recording.race_tokens)


def cost(trial: Trial) -> Measured:
    """The cost of the model calls in US dollars."""
    return model_cost(trial.evidence.recording, trial.scoring.prices)


def _completed(trial: Trial) -> Measured:
    return _known(trial.evidence.recording.completed, "the end of the run was not recorded")


def _failures(trial: Trial) -> Measured:
    return Measured(float(trial.evidence.recording.failures))


def _pass_rate(trial: Trial) -> Measured:
    scores = [grade.score for grade in trial.grades]
    known = [score for score in scores if score is not None]
    if not scores or len(known) < len(scores):
        return Measured(None, "not every grader gave a score")
    return Measured(sum(known) / len(known))


def _signal(key: str) -> Collector:
    return lambda trial: measure_signal(key, trial.evidence, trial.grades)


def _known(value: float | bool | None, reason: str) -> Measured:
    return Measured(value, reason if value is None else "")


COLLECTORS: dict[str, Collector] = {
    "run_total_latency_ms": latency,
    "run_ttft_ms": _first_output,
    "run_input_tokens": _input_tokens,
    "run_output_tokens": _output_tokens,
    "run_total_tokens": _total_tokens,
    "run_tool_call_count": _tool_calls,
    "run_agent_tokens": _agent_tokens,
    "run_race_context_tokens": _race_tokens,
    "run_model_cost_usd": cost,
    "run_completed_successfully": _completed,
    "run_failure_count": _failures,
    "validator_pass_rate": _pass_rate,
    "behavioral_recovery_score": _signal("recovery_behavior"),
    "behavioral_exploration_efficiency_score": _signal("exploration_efficiency"),
    "behavioral_error_cascade_score": _signal("error_cascade"),
    "behavioral_scope_adherence_score": _signal("scope_adherence"),
}


def measure(metric: Metric, trial: Trial) -> MetricResult:
    """Collect one metric; an unknown collector is an error."""
    collector = COLLECTORS.get(metric.collector)
    if collector is None:
        measured = Measured(None, f"there is no collector {metric.collector!r}", is_error=True)
    else:
        measured = collector(trial)
    return MetricResult(metric, measured.state, measured.value, measured.reason)
