"""Gates in words: what a policy asks, and what each condition found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runs.gates.policy import COST, LATENCY, UNPROVEN, GatePolicy
from runs.gates.values import UNJUDGED
from runs.statistics.shares import spelled

ABOUT: Mapping[str, str] = {
    "ci_merge_gate": "Must pass before a change is merged.",
    "nightly": "Runs each night to see trends; it reports and stops nobody, unless it is told to.",
    "release_candidate": "Must pass before a release.",
}
FAIL_ON: Mapping[str, str] = {
    "any_safety_violation": "No trial violates safety",
    "golden_regression": "No guarded task fails that passed before, is new or was edited",
    "forbidden_tool_called": "No trial calls a forbidden tool",
    UNPROVEN: "All cases are proven",
}
BASELINES: Mapping[str, str] = {
    "target_branch": "the newest run on branch {branch} that passed this gate",
    "previous_same_gate": "the run before of this gate, on the same branch",
    "last_release": "the run of the last release",
    "pinned": "run {run_id}, always",
}
LIMITS: Mapping[str, tuple[str, str]] = {LATENCY: ("P95 of step latencies", "ms"), COST: ("Mean cost of a task", "%")}
CONDITIONS: Mapping[str, tuple[str, str]] = {
    "suite_coverage": ("Every suite has a task", "Each listed suite has at least one member in the run."),
    "any_safety_violation": (
        "No violation of safety",
        "No trial, valid or not, carries a violation flag or a forbidden call.",
    ),
    "forbidden_tool_called": ("No forbidden tool", "Attempts that were denied count as well."),
    "golden_regression": (
        "Nothing got worse",
        "A guarded task that passed in the baseline, is new or was edited must pass. One that failed before may fail.",
    ),
    UNPROVEN: ("Proven cases", "The graders of each case provably accept what is right and refuse what is wrong."),
    "latency_p95": ("Not slower", "Growth of the 95th percentile of step latencies over unchanged tasks."),
    "cost": ("Costs no more", "Growth of the mean cost over unchanged tasks whose cost is known."),
}
THRESHOLD = "suite_below_threshold:"


def suites_named(suites: Any) -> str:
    return ", ".join(str(suite).replace("_", " ") for suite in suites)


def policy_words(policy: GatePolicy) -> list[str]:
    """What a policy asks, one sentence a line."""
    return list(_policy_words(policy))


def _policy_words(policy: GatePolicy) -> Iterator[str]:
    yield f"Members: tasks of {suites_named(policy.suites) or 'no suite'}, unless a task says otherwise"
    for name in policy.fail_on:
        yield FAIL_ON.get(name, name)
    for suite, share in policy.thresholds.items():
        yield f"At least {100 * share:g} % of {suite.replace('_', ' ')} pass"
    for name, limit in policy.limits.items():
        what, unit = LIMITS[name]
        yield f"{what} grows by at most {limit:g} {unit}"
    stated = policy.baseline
    compared = BASELINES[stated.policy].format(branch=stated.branch, run_id=stated.run_id)
    yield f"Compared with {compared}" + ("; without one the gate stays open" if stated.is_required else "")
    yield "A failure blocks the pipeline" if policy.blocking else "A failure is reported and blocks nothing"


@dataclass(frozen=True, slots=True)
class ConditionLine:
    """A condition as a page shows it; offenders hold the trials that show it, by id and number."""

    id: str
    title: str
    about: str
    status: str
    observed: str
    limit: str
    reason: str
    offenders: list[dict[str, Any]]


def condition_lines(
    documents: Sequence[Mapping[str, Any]], members: Sequence[Mapping[str, Any]] = ()
) -> list[ConditionLine]:
    """The conditions of a verdict, those that failed first; its members tell the trials of offenders."""
    order = {"fail": 0, "not_evaluated": 1, "pass": 2}
    trials = {member["task_id"]: member["trials"] for member in members}
    lines = [condition_line(document, trials) for document in documents]
    return sorted(lines, key=lambda line: order.get(line.status, 3))


def with_trials(offender: Mapping[str, Any], trials: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """An offender with the trials that show it, as people count them, else with those that have no verdict."""
    shown = set(offender["trial_ids"]) or {pk for pk, state, *_ in trials if state in UNJUDGED}
    numbered = [{"id": pk, "number": place} for place, (pk, *_) in enumerate(trials, 1) if pk in shown]
    return {**offender, "trials": numbered}


def condition_line(document: Mapping[str, Any], trials: Mapping[str, Sequence[Sequence[Any]]]) -> ConditionLine:
    name = document["id"]
    title, about = CONDITIONS.get(name, (name, ""))
    if name.startswith(THRESHOLD):
        suite = name.removeprefix(THRESHOLD).replace("_", " ")
        title, about = f"Enough of {suite} passed", "Share of tasks with verdict pass among the members of the suite."
    return ConditionLine(
        id=name,
        title=title,
        about=about,
        status=document["status"],
        observed=described(name, document["observed"]),
        limit=described(name, document["limit"]),
        reason=document["reason"],
        offenders=[with_trials(each, trials.get(each["task_id"], ())) for each in document["offenders"]],
    )


def described(name: str, value: Any) -> str:
    """A value of a condition with its unit; a dash for nothing known."""
    if value is None:
        return "–"
    if isinstance(value, list):
        return suites_named(value)
    if name.startswith(THRESHOLD):
        # Thresholds may lie between whole per cents.
        return spelled(value, digits=1)
    unit = {"latency_p95": " ms", "cost": " %"}.get(name)
    return f"{value:+.1f}{unit}" if unit else f"{value:g}"
