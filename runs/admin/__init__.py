"""Curation of agents, connections, runs and trials, and of what keeps the workers going."""

from runs.admin import connections, evaluation, links, reviews, timetable

__all__ = ["connections", "evaluation", "links", "reviews", "timetable"]
