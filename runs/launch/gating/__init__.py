"""Runs that are started for a gate: by a pipeline, by a person, by a timetable."""

from celery import shared_task

from runs.launch.gating.scheduling import START_SCHEDULED, start_scheduled
from runs.launch.gating.starting import Start, choose_sets, start_for_gate, start_once

__all__ = ["Start", "choose_sets", "start_for_gate", "start_once", "start_run_of_schedule"]


@shared_task(name=START_SCHEDULED)  # type: ignore[untyped-decorator]  # Celery has no types
def start_run_of_schedule(schedule_id: int) -> None:
    """Start the run of a schedule whose time has come."""
    start_scheduled(schedule_id)
