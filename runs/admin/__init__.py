"""Curation of agents, runs and trials, and of what keeps the workers going."""

from runs.admin import evaluation, timetable

__all__ = ["evaluation", "timetable"]
