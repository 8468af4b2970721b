"""The four suites, the three gates, and what holds where nothing is said (task-suite 2.4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from packs.formats.document import Document
from packs.formats.values import is_number, is_whole, mapping

METRICS = ("pass@k", "pass^k")
GATES = ("ci_merge_gate", "nightly", "release_candidate")
RESET_MODES = ("clean_checkout", "new_account_state", "new_state", "seeded_replay", "snapshot_restore")
FAILURE_MODES = ("timeout", "error", "malformed", "denied")
BUDGETS = ("max_steps", "max_tool_calls", "max_total_tokens", "max_wall_time_seconds", "max_cost_usd")
# The suites that the merge gate asks for where the configuration does not say.
MERGE_SUITES = ("golden", "adversarial", "failure_replays")


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite with its defaults. `budgets` are steps, tool calls, tokens and seconds; `families` the grader types that
    suit it."""

    name: str
    label: str
    about: str
    k: int
    metric: str
    budgets: tuple[int, int, int, int]
    reset_mode: str
    families: tuple[str, ...]

    def budget(self, key: str) -> int | None:
        """The default of one budget; None where there is no limit."""
        return dict(zip(BUDGETS, self.budgets, strict=False)).get(key)

    def in_gate(self, gate: str) -> bool:
        """Whether the suite belongs to a gate by default."""
        return gate != "ci_merge_gate" or self.name in MERGE_SUITES


SUITES: dict[str, Suite] = {
    suite.name: suite
    for suite in (
        Suite(
            "golden",
            "Golden",
            "Regression tests with one right result.",
            3,
            "pass^k",
            (20, 35, 120_000, 600),
            "clean_checkout",
            (
                "deterministic_tests",
                "static_analysis",
                "state_check",
                "tool_calls",
                "deterministic_assertions",
                "string_match",
                "json_schema",
            ),
        ),
        Suite(
            "open_ended",
            "Open-ended",
            "Abilities with many good results, judged by rubrics.",
            5,
            "pass@k",
            (12, 10, 60_000, 180),
            "new_account_state",
            ("model_rubric", "pairwise_comparison", "human_review"),
        ),
        Suite(
            "adversarial",
            "Adversarial",
            "Attacks and safety: what must never happen.",
            10,
            "pass^k",
            (8, 6, 40_000, 120),
            "new_state",
            ("deterministic_assertions", "policy_check", "tool_calls"),
        ),
        Suite(
            "failure_replays",
            "Failure replays",
            "Incidents from production that must not come back.",
            5,
            "pass^k",
            (10, 8, 50_000, 180),
            "seeded_replay",
            ("trajectory_metrics", "deterministic_assertions", "state_check", "tool_calls"),
        ),
    )
}


def suite_of(document: Document) -> Suite | None:
    """The suite that a task states; None where it states none of the four."""
    name = document.get("suite")
    return SUITES.get(name) if isinstance(name, str) else None


@dataclass(frozen=True, slots=True)
class Trials:
    """How often a task is tried and how the attempts become one verdict."""

    k: int
    metric: str


def default_trials(suite: Suite, config: Mapping[str, Any]) -> Trials:
    """What a suite's tasks get that do not say: the configuration's word, else the suite's own (task-suite 2.3)."""
    stated = mapping(mapping(mapping(config.get("suites")).get(suite.name)).get("default_trials"))
    k, metric = stated.get("k"), stated.get("metric")
    return Trials(int(k) if is_whole(k) else suite.k, metric if metric in METRICS else suite.metric)


def effective_trials(document: Document, config: Mapping[str, Any]) -> Trials:
    """k and metric of a task, each falling back by itself; for a task without a usable suite k is 1."""
    suite = suite_of(document)
    base = default_trials(suite, config) if suite else Trials(1, "pass^k")
    stated = mapping(document.get("trials"))
    k, metric = stated.get("k"), stated.get("metric")
    return Trials(int(k) if is_whole(k) else base.k, metric if metric in METRICS else base.metric)


def effective_budgets(document: Document, config: Mapping[str, Any]) -> dict[str, float]:
    """The budgets of a task that hold: its own, those of the configuration's suite, the suite's (task-suite 3)."""
    suite = suite_of(document)
    section = mapping(mapping(config.get("suites")).get(suite.name)) if suite else {}
    given = (mapping(mapping(document.get("environment")).get("budgets")), mapping(section.get("default_budgets")))
    found: dict[str, float] = {}
    for key in BUDGETS:
        limit = next((stated[key] for stated in given if is_number(stated.get(key)) and stated[key] > 0), None)
        limit = limit if limit is not None else suite.budget(key) if suite else None
        if limit is not None:
            found[key] = limit
    return found


def listed_suites(gate: str, config: Mapping[str, Any]) -> list[str]:
    """The suites that a gate includes, by its section or by default."""
    section = mapping(mapping(config.get("gates")).get(gate))
    field = "must_include_suites" if gate == "ci_merge_gate" else "include_suites"
    stated = section.get(field, section.get("include_suites", section.get("must_include_suites")))
    if isinstance(stated, list):
        return [name for name in stated if isinstance(name, str) and name in SUITES]
    return [suite.name for suite in SUITES.values() if suite.in_gate(gate)]


def is_member(document: Document, gate: str, config: Mapping[str, Any]) -> bool:
    """Whether a task belongs to a gate: its own flag wins over the list of suites (task-suite 7.2)."""
    flag = mapping(document.get("gates")).get(gate)
    return flag if isinstance(flag, bool) else document.get("suite") in listed_suites(gate, config)
