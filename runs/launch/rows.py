"""The rows of a run that is launched: its agents, its trials, and what the pack says of them."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from runs.jobs.trials.dependencies import hold_back
from runs.jobs.trials.statements import Statements
from runs.launch.dependencies import Wait, is_tried_by, named_targets
from runs.launch.planning import Plan
from runs.models import Agent, Dependency, Run, RunAgent, Trial, TrialPlan
from runs.models.agent_connections import connection_of

# What the trials of one agent at one case share.
PLACE = ("run_agent_id", "case_id", "case_position", "case_key", "challenge_key")
BATCH = 2000


def write_trials(run: Run, agents: Sequence[Agent], plans: Sequence[Plan], waits: Sequence[Wait]) -> None:
    """The rows of agents, trials and what the pack says of them, counted in the run. Cases alternate between agents."""
    entries = write_agents(run, agents)
    write_plans(run, plans)
    run.trials_per_case = max((plan.count for plan in plans), default=run.trials_per_case)
    run.trial_count = write_numbers(run, entries, plans)
    note_waits(run, waits)
    has_limits = any(plan.trials.cost_usd is not None for plan in plans)
    held = hold_back(run.pk) if waits or has_limits else 0
    run.counts = {"queued": run.trial_count - held, **({"held": held} if held else {})}


def write_plans(run: Run, plans: Iterable[Plan]) -> None:
    """What the pack says of the trials of each case, so that several become one verdict."""
    TrialPlan.objects.bulk_create(
        (
            TrialPlan(
                run=run,
                case=plan.case,
                count=plan.trials.count,
                rule=plan.trials.rule,
                threshold=plan.threshold,
                cost_usd=plan.trials.cost_usd,
            )
            for plan in plans
            if plan.is_stated
        ),
        batch_size=BATCH,
    )


def write_agents(run: Run, agents: Sequence[Agent]) -> list[RunAgent]:
    """The agents with their configuration as it is now."""
    return RunAgent.objects.bulk_create(
        RunAgent(
            run=run,
            agent=agent,
            position=position,
            name=agent.name,
            kind=agent.kind,
            config=agent.config,
            connection=connection_of(agent.team, agent.kind, agent.config),
        )
        for position, agent in enumerate(agents)
    )


def note_waits(run: Run, waits: Sequence[Wait]) -> None:
    """Note which cases wait for others."""
    Dependency.objects.bulk_create(
        (Dependency(run=run, position=wait.position, needed=wait.needed, after=wait.after) for wait in waits),
        batch_size=BATCH,
    )


def place_of(position: int, plan: Plan) -> dict[str, Any]:
    """Case columns of the trials of one case; empty where the run has no cases."""
    row = plan.case
    if row is None:
        return {}
    return {"case_id": row.pk, "case_position": position, "case_key": row.key, "challenge_key": row.challenge_key}


def write_numbers(run: Run, entries: Sequence[RunAgent], plans: Iterable[Plan]) -> int:
    """The rows of the trials of every agent at each case that it tries, numbered from 1.

    They begin in the order of their rows: that of the cases, or by chance where a run may end before all were tried.
    """
    listed = list(plans)
    order = list(range(len(listed)))
    if "interval_points" in run.budgets:
        random.Random(run.pk).shuffle(order)
    named = named_targets(listed)
    columns = [field.attname for field in Trial._meta.concrete_fields if not field.primary_key]
    blank = Trial(run=run)
    fresh = {name: getattr(blank, name) for name in columns}
    rows = [
        tuple({**fresh, "run_agent_id": entry.pk, "number": number, **place}.values())
        for position in order
        for plan, place in ((listed[position], place_of(position, listed[position])),)
        for entry in entries
        if is_tried_by(plan, entry.name, named)
        for number in range(1, plan.count + 1)
    ]
    Statements(Trial, *columns).insert(rows)
    return len(rows)


def last_trials(run: Run) -> QuerySet[Trial]:
    """The trial with the highest number of every agent at every case."""
    later = Trial.objects.filter(
        run=run,
        run_agent=OuterRef("run_agent"),
        case_position=OuterRef("case_position"),
        number__gt=OuterRef("number"),
    )
    rows: QuerySet[Trial] = Trial.objects.filter(~Exists(later), run=run)
    return rows.only(*PLACE, "number").order_by("case_position", "run_agent__position")
