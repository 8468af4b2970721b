"""The published structure of a task (task-suite 2.2): what any reader of the format may rely on, and no more."""

from typing import Any

from packs.formats.task_suite.suites import GATES, METRICS, SUITES

REQUIRED = ("task_id", "suite", "description", "inputs", "graders", "tracked_metrics")

_TRIALS = {
    "type": "object",
    "properties": {
        "k": {"type": "integer", "minimum": 1},
        "metric": {"type": "string", "enum": list(METRICS)},
    },
    "additionalProperties": False,
}
_ENVIRONMENT = {
    "type": "object",
    "properties": {"sandbox": {"type": "string"}, "reset": {"type": "object"}, "budgets": {"type": "object"}},
}
_GRADER = {
    "type": "object",
    "properties": {"type": {"type": "string"}},
    "required": ["type"],
    "x-rules": {"required": "no_type"},
}

INTERCHANGE: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Agent Eval Task",
    "type": "object",
    "required": list(REQUIRED),
    "properties": {
        "task_id": {"type": "string"},
        "suite": {"type": "string", "enum": list(SUITES)},
        "description": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "inputs": {"type": "object"},
        "environment": _ENVIRONMENT,
        "trials": _TRIALS,
        "graders": {"type": "array", "minItems": 1, "items": _GRADER},
        "tracked_metrics": {"type": "array", "minItems": 1, "items": {"type": "object"}},
        "gates": {"type": "object", "properties": {gate: {"type": "boolean"} for gate in GATES}},
    },
}
