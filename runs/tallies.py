"""What the trials of a run say together: of each case by the rule of its pack, and of all cases of an agent."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from runs.estimates import LEFT_OUT, Joined, Tally, Verdict, joined, wilson
from runs.gates.values import FIRST
from runs.models import Run, Trial, TrialPlan
from runs.models.trials import joint_state

COLUMNS = (
    *("run_agent_id", "case_id", "case_position", "status", "stop_reason", "score"),
    *("cost_usd", "judge_cost_usd", "total_tokens"),
)
# What a trial is called that says nothing of several.
ALONE = "first"


def tally_of(plan: TrialPlan | None, trials: Sequence[Trial]) -> Joined | None:
    """What the trials of one agent at one case say together; None where the pack has no rule for several."""
    if plan is None or not trials:
        return None
    return joined(plan.rule, plan.count, plan.threshold, [(trial.joint_state, trial.score) for trial in trials])


@dataclass(frozen=True, slots=True)
class CaseTally:
    """The trials of one agent at one case, in order. Without a rule of the pack the first valid one decides."""

    plan: TrialPlan | None
    trials: Sequence[Trial]

    def as_dict(self) -> dict[str, Any]:
        first, stated = self.trials[0], tally_of(self.plan, self.trials)
        tally = stated or Tally(FIRST, 1, tuple(trial.joint_state for trial in self.trials))
        return {
            "run_agent": first.run_agent_id,
            "case": first.case_id,
            "case_key": first.case_key,
            "challenge_key": first.challenge_key,
            "verdict": tally.verdict,
            "rule": self.plan.rule if stated and self.plan else ALONE,
            "k": tally.k,
            "n": tally.n,
            "c": tally.c,
            "estimate": tally.estimate,
            "ci": list(tally.interval) if tally.interval else None,
            "threshold": self.plan.threshold if self.plan else None,
            "is_flaky": tally.is_flaky,
            "trials": [
                {
                    "id": trial.pk,
                    "number": trial.number,
                    "status": trial.status,
                    "score": trial.score,
                    "is_left_out": trial.joint_state == LEFT_OUT,
                }
                for trial in self.trials
            ],
        }


def case_tallies(run: Run, firsts: Sequence[Trial]) -> list[CaseTally]:
    """The tallies of the agents and cases of these trials, in their order."""
    rows = Trial.objects.filter(run=run, case_position__in={trial.case_position for trial in firsts})
    places: dict[tuple[int, int], list[Trial]] = {}
    for trial in rows.defer("scorecard", "final_output", "error").order_by("number"):
        places.setdefault((trial.run_agent_id, trial.case_position), []).append(trial)
    plans = plans_of(run, {trial.case_id for trial in firsts})
    return [
        CaseTally(plans.get(trial.case_id or 0), places[trial.run_agent_id, trial.case_position]) for trial in firsts
    ]


def plans_of(run: Run, cases: Iterable[int | None] | None = None) -> dict[int, TrialPlan]:
    """What the pack says of the trials of each case, by the id of the case; of all cases where none are given."""
    rows = TrialPlan.objects.filter(run=run)
    return {plan.case_id: plan for plan in (rows if cases is None else rows.filter(case__in=list(cases)))}


@dataclass(slots=True)
class Totals:
    """What all trials of one agent add up to."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    flaky: int = 0
    left_out: int = 0
    used: Counter[str] = field(default_factory=Counter)

    @property
    def verdict(self) -> Verdict:
        """Pass where every case passes; one that fails wins over what is open."""
        if self.verdicts["fail"]:
            return "fail"
        return "pass" if self.verdicts["pass"] and not self.verdicts["incomplete"] else "incomplete"

    def as_dict(self) -> dict[str, Any]:
        cases, passed = sum(self.verdicts.values()), self.verdicts["pass"]
        bounds = wilson(passed, cases)
        return {
            "verdict": self.verdict,
            "cases": {name: self.verdicts[name] for name in ("pass", "fail", "incomplete")},
            "flaky": self.flaky,
            "pass_rate": passed / cases if cases else None,
            "wilson95": list(bounds) if bounds else None,
            "trials": dict(self.statuses),
            "left_out": self.left_out,
            **{name: self.used[name] for name in ("cost_usd", "judge_cost_usd", "total_tokens")},
        }


def summary_of(run: Run) -> dict[str, Any]:
    """What a run says in short: of each agent how many cases passed by the rules of the pack, and what was used up."""
    totals: dict[int, Totals] = {}
    for agent, joined_up in _by_case(run):
        _add(totals.setdefault(agent, Totals()), *joined_up)
    agents = [
        {"run_agent": entry.pk, "name": entry.name, **totals.get(entry.pk, Totals()).as_dict()}
        for entry in run.agents.defer("config").order_by("position")
    ]
    return {"run": run.pk, "status": run.status, "is_final": run.finished_at is not None, "agents": agents}


def _by_case(run: Run) -> Iterator[tuple[int, tuple[Joined, list[tuple[Any, ...]]]]]:
    """Each agent's cases: what its trials say together, and their columns."""
    plans = plans_of(run)
    rows = Trial.objects.filter(run=run).order_by("run_agent_id", "case_position", "number").values_list(*COLUMNS)
    for (agent, case, _), found in groupby(rows.iterator(chunk_size=2000), key=lambda row: row[:3]):
        listed, plan = list(found), plans.get(case)
        trials = [(joint_state(row[3], row[4]), row[5]) for row in listed]
        stated = joined(plan.rule, plan.count, plan.threshold, trials) if plan else None
        yield agent, (stated or Tally(FIRST, 1, tuple(state for state, _ in trials)), listed)


def _add(totals: Totals, tally: Joined, rows: Sequence[tuple[Any, ...]]) -> None:
    """Count one case."""
    totals.verdicts[tally.verdict] += 1
    totals.flaky += tally.is_flaky
    for _, _, _, status, stopped, _, *used in rows:
        totals.statuses[status] += 1
        totals.left_out += joint_state(status, stopped) == LEFT_OUT
        for name, amount in zip(COLUMNS[-3:], used, strict=True):
            totals.used[name] += amount or 0
