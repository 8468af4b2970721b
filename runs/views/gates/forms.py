"""The form of a gate's policy: a section of a configuration as fields, and back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from runs.gates.policy import COST, LATENCY
from runs.views.gates.words import FAIL_ON

BASELINE_LABELS = {
    "target_branch": "The newest run on a branch that passed this gate",
    "previous_same_gate": "The run before of this gate",
    "last_release": "The run of the last release",
    "pinned": "One run, always",
}
THRESHOLD = "threshold-"


@dataclass(frozen=True, slots=True)
class Choice:
    """One box that can be ticked."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class PolicyForm:
    """The fields as texts, so that a wrong one is shown again. Thresholds are in percent."""

    suites: Sequence[Choice]
    fail_on: Sequence[Choice]
    latency: str
    cost: str
    min_samples: str
    thresholds: Sequence[tuple[str, str]]
    baselines: Sequence[Choice]
    branch: str
    run_id: str
    is_required: bool
    is_blocking: bool


def suites_field(gate: str) -> str:
    return "must_include_suites" if gate == "ci_merge_gate" else "include_suites"


def form_of(section: dict[str, Any], gate: str, suites: Sequence[str]) -> PolicyForm:
    """The form that says what a section says; `suites` are those that there are."""
    chosen, budgets = section.get(suites_field(gate), []), section.get("budgets", {})
    baseline, thresholds = section.get("baseline", {}), section.get("suite_thresholds", {})
    known = list(dict.fromkeys([*suites, *chosen]))
    return PolicyForm(
        suites=[Choice(suite, suite.replace("_", " ") or "all", suite in chosen) for suite in known],
        fail_on=[Choice(name, label, name in section.get("fail_on", [])) for name, label in FAIL_ON.items()],
        latency=as_text(budgets.get(LATENCY)),
        cost=as_text(budgets.get(COST)),
        min_samples=as_text(budgets.get("min_samples")),
        thresholds=[(suite, percent(thresholds.get(suite))) for suite in known],
        baselines=[Choice(name, label, baseline.get("policy") == name) for name, label in BASELINE_LABELS.items()],
        branch=str(baseline.get("branch", "main")),
        run_id=str(baseline.get("run_id", "")),
        is_required=baseline.get("require") is True,
        is_blocking=section.get("blocking") is True,
    )


def as_text(value: Any) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, int | float) else str(value)


def percent(value: Any) -> str:
    return as_text(round(value * 100, 6)) if isinstance(value, int | float) else as_text(value)


def number(text: str) -> Any:
    """A text as a number, None for an empty one; what is not a number stays a text, and is refused as such."""
    text = text.strip().replace(",", ".")
    try:
        value = float(text) if text else None
    except ValueError:
        return text
    return int(value) if value is not None and value.is_integer() else value


def read_section(data: QueryDict, gate: str) -> dict[str, Any]:
    """The section that a sent form says, sound or not."""
    policy = data.get("baseline", "")
    baseline: dict[str, Any] = {"policy": policy, "require": "require" in data}
    if policy == "pinned":
        baseline["run_id"] = data.get("run_id", "").strip().removeprefix("#")
    if policy == "target_branch":
        baseline["branch"] = data.get("branch", "").strip() or "main"
    least = number(data.get("min_samples", ""))
    return {
        suites_field(gate): data.getlist("suites"),
        "fail_on": data.getlist("fail_on"),
        "budgets": {
            LATENCY: number(data.get("latency", "")),
            COST: number(data.get("cost", "")),
            **({} if least is None else {"min_samples": least}),
        },
        "suite_thresholds": dict(_thresholds(data)),
        "baseline": baseline,
        "blocking": "blocking" in data,
    }


def _thresholds(data: QueryDict) -> list[tuple[str, Any]]:
    named = [name for name in data if name.startswith(THRESHOLD)]
    found = {name.removeprefix(THRESHOLD): number(data.get(name, "")) for name in named}
    return [(suite, value / 100 if isinstance(value, int | float) else value) for suite, value in found.items()]
