"""Scored trials in one line."""

from packs.formats.task import Dimension, GraderSpec, Metric, Scoring
from runs.grading.graders.evidence import build_evidence
from runs.grading.scoring import score
from tests.runs.grading.graders.grading import events

PASSES = GraderSpec("passes", "contains", "literal:x", "literal:x")
FAILS = GraderSpec("fails", "contains", "literal:x", "literal:y")
ERRS = GraderSpec("errs", "regex_match", "literal:x", "literal:(")
MISSES = GraderSpec("misses", "contains", "final_output", "literal:x")


def by_grader(key, grader, **more):
    return Dimension(key, "validators", graders=(grader.key,), **more)


def card(*dimensions, graders=(PASSES, FAILS, ERRS, MISSES), pairs=(), judges=(), human_preference=None, **scoring):
    evidence = build_evidence([], events(*pairs))
    return score(Scoring(dimensions=dimensions, **scoring), graders, evidence, judges, human_preference)


def metric(collector, *pairs, graders=(PASSES,), **scoring):
    """The result of one collector over events."""
    metrics = (Metric("m", "numeric", collector),)
    return card(graders=graders, pairs=pairs, metrics=metrics, **scoring).metrics[0]
