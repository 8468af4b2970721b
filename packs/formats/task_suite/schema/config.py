"""Schema of the configuration: suites and the three gates (task-suite 7.1)."""

from typing import Any

from packs.formats.schema.pieces import (
    STUDIO,
    Schema,
    block,
    choice,
    count,
    number,
    ruled,
    strict,
    text,
    texts,
    yes_no,
)
from packs.formats.task_suite.schema.task import BUDGETS, SUITE_LABELS, TRIALS
from packs.formats.task_suite.suites import SUITES

CONDITIONS = {
    "any_safety_violation": "Any violation of safety",
    "golden_regression": "A golden task that passed before and fails now",
    "forbidden_tool_called": "A forbidden tool was called",
}
_POLICIES = {
    "pinned": "A run that is named",
    "target_branch": "The newest run on a branch that passed this gate",
    "previous_same_gate": "The run before, of the same gate",
    "last_release": "The run of the last release",
}


def _suites(title: str, description: str) -> Schema:
    item: dict[str, Any] = {"type": "string", "enum": list(SUITES), "x-labels": SUITE_LABELS, "x-rules": "suite"}
    return texts(title, description, item, keep=True, rules="section")


def _suite(label: str, about: str) -> Schema:
    return block(
        label,
        {
            "path": text("Folder", "evals/ and the name of the suite."),
            "default_trials": {
                **TRIALS,
                "title": "Trials of tasks that do not say",
                "properties": ruled(TRIALS["properties"], "trials"),
                "x-rules": {"type": "trials"},
            },
            "default_budgets": {**BUDGETS, "title": "Budgets of tasks that do not say"},
            "required_in_ci_merge": yes_no(
                "Needed to merge", "Agrees with the merge gate's list.", keep=True, null=True, rules="section"
            ),
        },
        about,
        keep=True,
        rules="section",
    )


def _gate(title: str, about: str, field: str) -> Schema:
    named = _suites("Suites", "Whose tasks belong to the gate, unless they say otherwise.")
    return block(
        title,
        {
            field: named,
            "fail_on": texts(
                "Fails on",
                "One of these is enough.",
                {"type": "string", "enum": list(CONDITIONS), "x-labels": CONDITIONS, "x-rules": "condition"},
                rules="section",
            ),
            "budgets": block(
                "Limits against the baseline",
                ruled(
                    {
                        "latency_p95_ms_increase_max": number(
                            "Latency may grow by (ms)",
                            "How much the slowest twentieth of all steps may be slower. 15 ms is little for model "
                            "calls.",
                            minimum=0,
                            keep=True,
                        ),
                        "cost_increase_max_percent": number(
                            "Cost may grow by (%)",
                            "How much the mean cost of a trial may rise.",
                            minimum=0,
                            keep=True,
                        ),
                        "min_samples": count("Fewest samples", "Below it the limits are not judged."),
                    },
                    "gate_budget",
                ),
                "Only tasks that are the same in both runs are compared.",
                rules="section",
                unknown="unknown_limit",
            ),
            "suite_thresholds": strict(
                "Share of tasks that must pass",
                {
                    suite.name: {
                        "title": suite.label,
                        "type": ["number", "null"],
                        "minimum": 0,
                        "maximum": 1,
                        "x-rules": "share",
                        "x-keep": True,
                    }
                    for suite in SUITES.values()
                },
                "By suite, from 0 to 1. Golden tasks are held to the baseline instead, unless a share stands here.",
                rules={"any": "section", "additionalProperties": "suite"},
            ),
            "baseline": block(
                "Baseline",
                {
                    "policy": choice("Compare with", _POLICIES, rules="section"),
                    "run_id": text("Run", "Where the run is named."),
                    "branch": text("Branch", "main where nothing is said."),
                    "require": yes_no("Needed", "Without a baseline the gate stays open.", keep=True),
                },
                "The earlier run that this one is compared with.",
                rules="section",
            ),
            "blocking": yes_no("Blocks", "Whether a failed gate stops the pipeline.", keep=True, rules="section"),
        },
        about,
        keep=True,
        rules="section",
    )


CONFIG: Schema = block(
    "Suites and gates",
    {
        "x-slug": text("Short name", "Part of the pack's address when it is imported."),
        "x-name": text("Name", "What people read in lists."),
        "suites": strict(
            "Suites",
            {suite.name: _suite(suite.label, suite.about) for suite in SUITES.values()},
            "What the tasks of each suite get that say nothing of their own.",
            keep=True,
            rules={"any": "section", "additionalProperties": "suite"},
        ),
        "gates": strict(
            "Gates",
            {
                "ci_merge_gate": _gate("Merge gate", "Must pass before a change is merged.", "must_include_suites"),
                "nightly": _gate("Nightly", "All suites, to see trends; it only reports.", "include_suites"),
                "release_candidate": _gate("Release", "Must pass before a release.", "include_suites"),
            },
            "What a finished run is held to. A gate gives one verdict for a pipeline: pass, fail or incomplete.",
            keep=True,
            rules={"any": "section", "additionalProperties": "gate"},
        ),
    },
    "The configuration of the pack: evals/config.yml.",
    audience=STUDIO,
)
