"""The rows of evaluation: agents, runs, trials and what they left behind."""

from runs.models.agents import Agent
from runs.models.runs import Run, RunAgent, RunStatus
from runs.models.trials import FINAL_STATUSES, Event, Grade, Replay, Trial, TrialStatus
from runs.models.workers import WorkerBeat

__all__ = [
    "Agent",
    "Event",
    "FINAL_STATUSES",
    "Grade",
    "Replay",
    "Run",
    "RunAgent",
    "RunStatus",
    "Trial",
    "TrialStatus",
    "WorkerBeat",
]
