"""Tracked metrics of a trial: measured and kept beside the scorecard, and never part of a verdict (task-suite 5)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from packs.formats.task import Tracking
from runs.grading.graders.contract import Grade
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.suite.scene import trajectory_of
from runs.replay.trajectories.facts import Scene
from runs.replay.trajectories.tracked import FIELDS, Judged, Rate, Value, measure

# What follows from the verdict, which is not known while a trial is scored.
OF_VERDICT = frozenset({"success", "score"})
OVER, UNDER, COUNTS = "over", "under", "counts"


def track(tracking: Tracking | None, evidence: Evidence, grades: Sequence[Grade]) -> dict[str, Any]:
    """The values of a trial by the names of their fields, as JSON: `restored` reads one of them back."""
    if tracking is None or not tracking.fields:
        return {}
    recording = evidence.recording
    trajectory = trajectory_of(recording)
    raised = [flag for grade in grades for flag in _flags(grade)]
    supplied, planted = recording.supplied.get("facts"), recording.supplied.get("secrets", tracking.secrets)
    scene = Scene(
        trajectory=replace(trajectory, flags=[*trajectory.flags, *raised]),
        inputs=tracking.inputs,
        budgets=tracking.budgets,
        secrets={str(name): str(value) for name, value in planted.items()} if isinstance(planted, Mapping) else {},
        supplied=supplied if isinstance(supplied, Mapping) else {},
    )
    judged = Judged(scene, reference=tracking.reference)
    wanted = [name for name in tracking.fields if name in FIELDS and name not in OF_VERDICT]
    return {name: kept(measure(name, judged)) for name in wanted}


def _flags(grade: Grade) -> list[Mapping[str, Any]]:
    flags = grade.raw.get("flags")
    return [flag for flag in flags if isinstance(flag, Mapping)] if isinstance(flags, list) else []


def kept(value: Value) -> Any:
    """A value as JSON: of a rate both parts, so that rates of several trials can be pooled."""
    if isinstance(value, Rate):
        return {OVER: value.over, UNDER: value.under}
    return {COUNTS: dict(value)} if isinstance(value, Counter) else value


def restored(value: Any) -> Value:
    """The value that `kept` wrote; None for anything else."""
    if isinstance(value, Mapping):
        if COUNTS in value:
            return Counter(value[COUNTS])
        return Rate(value[OVER], value[UNDER]) if OVER in value and UNDER in value else None
    return value if isinstance(value, bool | int | float) else None
