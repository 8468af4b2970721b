"""What happened: records of trials made here or elsewhere, causes of failure, redaction, and the replay.

The replay is the ordered, navigable story of a trial, built from its events (challenge-pack h.4).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from runs.replay.index import StepIndex, build_steps, index_steps
from runs.replay.steps import Event, headline_of, moment
from runs.replay.vocabulary import KINDS

__all__ = [
    "KINDS",
    "Event",
    "StepIndex",
    "build_steps",
    "display_status",
    "headline_of",
    "index_steps",
    "moment",
    "replay",
]


def replay(events: Sequence[Event]) -> dict[str, Any]:
    """The whole summary with its steps, in the shape of challenge-pack h.4."""
    ordered = sorted(events, key=lambda event: event["sequence_number"])
    index = index_steps(ordered)
    by_sequence = {event["sequence_number"]: event for event in ordered}
    return {**index.summary, "steps": build_steps(index, range(len(index)), by_sequence)}


def display_status(step: Mapping[str, Any]) -> str:
    """The status to show: a moment is done, although the format's own summary leaves it `running`."""
    is_moment = step["status"] == "running" and "completed_sequence" in step
    return "completed" if is_moment else str(step["status"])
