"""What may be said of a gate: the section of a task suite's configuration, for suites of any name (task-suite 7.1)."""

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

from runs.gates.policy import ASKABLE, BASELINES, COST, LATENCY, GatePolicy

_NAMES: dict[str, Any] = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
_LIMIT: dict[str, Any] = {"type": ["number", "null"], "minimum": 0}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "must_include_suites": _NAMES,
        "include_suites": _NAMES,
        "fail_on": {**_NAMES, "items": {"enum": list(ASKABLE)}},
        "budgets": {
            "type": "object",
            "properties": {LATENCY: _LIMIT, COST: _LIMIT, "min_samples": {"type": "integer", "minimum": 1}},
            "additionalProperties": False,
        },
        "suite_thresholds": {
            "type": "object",
            "additionalProperties": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
        },
        "baseline": {
            "type": "object",
            "properties": {
                "policy": {"enum": list(BASELINES)},
                "run_id": {"type": ["string", "integer"]},
                "branch": {"type": "string"},
                "require": {"type": "boolean"},
            },
            "additionalProperties": False,
        },
        "blocking": {"type": "boolean"},
    },
    "patternProperties": {"^x-": True},
    "additionalProperties": False,
}
_VALIDATOR = jsonschema_rs.validator_for(SCHEMA)


def section_troubles(section: Any, gate: str) -> list[str]:
    """What is wrong with a section, each with its place; empty for a sound one."""
    return list(_troubles(section, gate))


def _troubles(section: Any, gate: str) -> Iterator[str]:
    for error in _VALIDATOR.iter_errors(section):
        place = "/".join(str(step) for step in error.instance_path)
        yield f"{place}: {error.message}" if place else error.message
    if isinstance(section, Mapping) and isinstance(section.get("baseline"), Mapping):
        stated = section["baseline"]
        if stated.get("policy") == "pinned" and not str(stated.get("run_id", "")).strip():
            yield "baseline/run_id: a pinned baseline needs the number of a run"


def as_section(policy: GatePolicy) -> dict[str, Any]:
    """A section that says everything a policy asks: what a form begins with."""
    name = "must_include_suites" if policy.gate == "ci_merge_gate" else "include_suites"
    baseline: dict[str, Any] = {"policy": policy.baseline.policy, "require": policy.baseline.is_required}
    if policy.baseline.policy == "pinned":
        baseline["run_id"] = policy.baseline.run_id
    if policy.baseline.policy == "target_branch":
        baseline["branch"] = policy.baseline.branch
    return {
        name: list(policy.suites),
        "fail_on": list(policy.fail_on),
        "budgets": {**dict.fromkeys((LATENCY, COST)), **policy.limits, "min_samples": policy.min_samples},
        "suite_thresholds": dict(policy.thresholds),
        "baseline": baseline,
        "blocking": policy.blocking,
    }
