"""What the cases of a launch say of the run that they become part of: order, limits, and whom they are meant for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

from runs.launch.planning import Plan


class CircularDependencies(ValueError):
    """Cases that wait for each other, so that none of them could begin; `keys` names them."""

    def __init__(self, keys: Sequence[str]) -> None:
        super().__init__(f"The cases {', '.join(keys)} wait for each other.")
        self.keys = list(keys)


@dataclass(frozen=True, slots=True)
class Wait:
    """The case at `position` of a run begins after the one at `needed`; `after` says what follows from its error."""

    position: int
    needed: int
    after: str


@dataclass(slots=True)
class Wishes:
    """What a pack asks of a run.

    `cost_usd` is a budget for the whole run; `set_limits` has the shape of `Run.set_limits`; `workers` is how many
    trials are to be at work at once.
    """

    cost_usd: float | None = None
    workers: int | None = None
    set_limits: dict[str, dict[str, Any]] = field(default_factory=dict)


def wishes_of(plans: Sequence[Plan]) -> Wishes:
    """What the cases ask of a run. The budget of an only input set is the run's; of several, each keeps its own."""
    costs: dict[int, float] = {}
    stopping: set[int] = set()
    sets = {plan.case.input_set_id for plan in plans if plan.case}
    for plan in plans:
        if plan.case is not None and plan.schedule.cost_usd is not None:
            costs[plan.case.input_set_id] = plan.schedule.cost_usd
        if plan.case is not None and plan.schedule.stops_on_error:
            stopping.add(plan.case.input_set_id)
    stated = [plan.schedule.workers for plan in plans if plan.schedule.workers is not None]
    found = Wishes(workers=min(stated, default=None))
    if len(sets) == 1 and costs:
        found.cost_usd = costs.popitem()[1]
    for key in sorted(costs.keys() | stopping):
        limits = {"cost_usd": costs[key]} if key in costs else {}
        found.set_limits[str(key)] = {**limits, **({"stops_on_error": True} if key in stopping else {})}
    return found


def waits_of(plans: Sequence[Plan]) -> list[Wait]:
    """Who waits for whom, by position among the plans; cases that are not among them are waited for by nobody.

    Raises CircularDependencies.
    """
    places: dict[tuple[int, str], int] = {}
    for position, plan in enumerate(plans):
        if plan.case is not None:
            places.setdefault((plan.case.input_set_id, plan.case.key), position)
    waits = list(_waits(plans, places))
    graph: dict[int, set[int]] = {}
    for wait in waits:
        graph.setdefault(wait.position, set()).add(wait.needed)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise CircularDependencies([_key(plans[position]) for position in error.args[1]]) from error
    return waits


def _waits(plans: Sequence[Plan], places: dict[tuple[int, str], int]) -> Iterator[Wait]:
    for position, plan in enumerate(plans):
        if plan.case is None:
            continue
        for key in dict.fromkeys(plan.schedule.depends_on):
            needed = places.get((plan.case.input_set_id, key))
            if needed is not None:
                yield Wait(position, needed, plan.schedule.on_dependency_failure)


def _key(plan: Plan) -> str:
    return plan.case.key if plan.case else ""


def named_targets(plans: Sequence[Plan]) -> list[str]:
    """The names of all agents that the cases are meant for, in order."""
    return list(dict.fromkeys(name for plan in plans for name in plan.schedule.targets))


def is_tried_by(plan: Plan, agent: str, named: Sequence[str]) -> bool:
    """Whether an agent tries a case: one that the pack names tries those that are meant for it, any other one all."""
    return agent not in named or not plan.schedule.targets or agent in plan.schedule.targets


def count_trials(plans: Sequence[Plan], agents: Sequence[str]) -> int:
    """How many trials agents of these names make."""
    named = named_targets(plans)
    return sum(plan.count for plan in plans for agent in agents if is_tried_by(plan, agent, named))
