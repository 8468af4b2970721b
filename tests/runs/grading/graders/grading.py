"""Grading a pair of texts, or events, in one line."""

from packs.formats.task import EvidenceCase, GraderSpec
from runs.grading.graders import grade
from runs.grading.graders.evidence import build_evidence


def event(event_type, number=1, **payload):
    return {"sequence_number": number, "event_type": event_type, "payload": payload}


def events(*pairs):
    """Events from (type, payload) pairs, numbered from 1."""
    return [event(event_type, number, **payload) for number, (event_type, payload) in enumerate(pairs, 1)]


def file_captured(content, key="f", **more):
    payload = {"key": key, "path": f"/w/{key}", "exists": content is not None, "content": content or ""}
    return "grader.verification.file_captured", payload | more


def graded(kind, actual, expected="", **config):
    """The grade of a final output against a literal."""
    evidence = build_evidence([], [event("system.output.finalized", final_output=actual)])
    return grade(GraderSpec("v", kind, "final_output", f"literal:{expected}", config or None), evidence)


def graded_on(kind, pairs, target="file:f", expected="", key="v", config=None):
    """The grade of a target in recorded events, given as (type, payload) pairs."""
    return grade(GraderSpec(key, kind, target, expected, config), build_evidence([], events(*pairs)))


def graded_case(kind, stored, target, expected="literal:"):
    return grade(GraderSpec("v", kind, target, expected), build_evidence([EvidenceCase(stored)], []))


def outcome(grade):
    return grade.outcome.value
