"""What the trials of a run say together: of each case by the rule of its pack, and of all cases of an agent."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from django.db.models import QuerySet

from runs.models import Run, Trial, TrialPlan
from runs.models.case_counts import USED, case_counts_of
from runs.models.plans import terms_of
from runs.models.trial_counts import trial_counts_of
from runs.models.trials import joint_state
from runs.results.calibrating import doubts_shown
from runs.results.memory import remembered_by_agent
from runs.results.proofs import proven_verdicts
from runs.statistics.estimates import LEFT_OUT, Joined, Verdict, joined, joined_or_first
from runs.statistics.shares import Shares, shares_of

# What a trial is called that says nothing of several.
ALONE = "first"


def joint_verdict(plan: TrialPlan | None, trials: Sequence[tuple[str, float | None]]) -> Joined | None:
    """What the states and scores of one agent's trials at one case say together; None where the pack has no rule for
    several."""
    if plan is None or not trials:
        return None
    return joined(plan.rule, plan.count, plan.threshold, trials)


def states_of(trials: Iterable[Trial]) -> list[tuple[str, float | None]]:
    """What trials are to a verdict over several, with their scores."""
    return [(trial.joint_state, trial.score) for trial in trials]


def case_verdict(plan: TrialPlan | None, trials: Sequence[tuple[str, float | None]]) -> Joined:
    """What the states and scores of one agent's trials at one case say together, by the rule of the pack."""
    return joined_or_first(*terms_of(plan), trials)


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """The trials of one agent at one case, in order. Without a rule of the pack the first valid one decides."""

    plan: TrialPlan | None
    trials: Sequence[Trial]

    def as_dict(self) -> dict[str, Any]:
        first, states = self.trials[0], states_of(self.trials)
        is_stated, joint = joint_verdict(self.plan, states) is not None, case_verdict(self.plan, states)
        return {
            "run_agent": first.run_agent_id,
            "case": first.case_id,
            "case_key": first.case_key,
            "challenge_key": first.challenge_key,
            "verdict": joint.verdict,
            "rule": self.plan.rule if self.plan and is_stated else ALONE,
            "k": joint.k,
            "n": joint.n,
            "c": joint.c,
            "estimate": joint.estimate,
            "ci": list(joint.interval) if joint.interval else None,
            "threshold": self.plan.threshold if self.plan else None,
            "is_flaky": joint.is_flaky,
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


def case_verdicts(run: Run, firsts: Sequence[Trial]) -> list[CaseVerdict]:
    """The verdicts of the agents and cases of these trials, in their order."""
    rows = Trial.objects.filter(run=run, case_position__in={trial.case_position for trial in firsts})
    places: dict[tuple[int, int], list[Trial]] = {}
    for trial in rows.defer("scorecard", "final_output", "error").order_by("number"):
        places.setdefault((trial.run_agent_id, trial.case_position), []).append(trial)
    plans = plans_of(run, {trial.case_id for trial in firsts})
    return [
        CaseVerdict(plans.get(trial.case_id or 0), places[trial.run_agent_id, trial.case_position]) for trial in firsts
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

    @property
    def cases(self) -> Shares:
        """The shares of cases by their verdicts."""
        passed, failed = self.verdicts["pass"], self.verdicts["fail"]
        return Shares(passed, passed + failed, self.verdicts.total())

    def as_dict(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            **shares_of(self.statuses).as_dict(),
            "trials": dict(self.statuses),
            "left_out": self.left_out,
            **self.cases.as_dict("case_"),
            "cases": {name: self.verdicts[name] for name in ("pass", "fail", "incomplete")},
            "flaky": self.flaky,
            **{name: self.used[name] for name in USED},
        }


def summary_of(run: Run) -> dict[str, Any]:
    """What a run says in short: of each agent which trials and cases passed, and what was used up.

    Cases pass by the rules of the pack. The shares of the run are of the trials of all agents.
    """
    totals = remembered_by_agent("summary", run, lambda changed: totals_of(run, changed))
    agents = [
        {"run_agent": entry.pk, "name": entry.name, **totals.get(entry.pk, Totals()).as_dict()}
        for entry in run.agents.defer("config").order_by("position")
    ]
    statuses = sum((each.statuses for each in totals.values()), Counter[str]())
    about = {"run": run.pk, "status": run.status, "is_final": run.finished_at is not None}
    trust = {"doubtful_judges": doubts_shown(run.version.pack), "proven_verdicts": proven_verdicts(run)}
    return {**about, **shares_of(statuses).as_dict(), "agents": agents, **trust}


def totals_of(run: Run, entries: Collection[int]) -> dict[int, Totals]:
    """What the trials of agents entered add up to, by their ids, from what is kept of their cases."""
    totals = {agent: Totals() for agent in entries}
    for counted in trial_counts_of(run.pk):
        if counted.run_agent in totals:
            found, trials = totals[counted.run_agent], counted.state_count.trials
            found.statuses[counted.status] += trials
            found.left_out += trials * (joint_state(counted.status, counted.stop_reason) == LEFT_OUT)
    for count in case_counts_of(run.pk, entries):
        found = totals[count.run_agent]
        found.verdicts.update({"pass": count.passed, "fail": count.failed, "incomplete": count.incomplete})
        found.flaky += count.flaky
        found.used.update({name: getattr(count, name) for name in USED})
    return totals


def by_case(rows: QuerySet[Any], *columns: str, trial: str = "") -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """The cases of each agent entered, by its id: these columns of the case's trials in the order of their numbers.

    Of rows about trials, `trial` is the way to those, such as `trial__`.
    """
    place = (f"{trial}run_agent_id", f"{trial}case_position")
    ordered = rows.order_by(*place, f"{trial}number").values_list(*place, *columns)
    for (agent, _), found in groupby(ordered.iterator(chunk_size=2000), key=lambda row: row[:2]):
        yield agent, [row[2:] for row in found]
