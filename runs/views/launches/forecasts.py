"""What a launch would do: how many trials, what the pack lets them cost, and the same launch for programs."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import orjson

from packs.formats import adapter_of
from packs.models import PackVersion, VersionInputSet
from packs.quotas import MONEY, TRIALS
from runs.launch.dependencies import count_trials, wishes_of
from runs.launch.estimating import estimate
from runs.launch.planning import Plan, plan_cases
from runs.models import Agent
from runs.models.runs import ALL_SETS, default_concurrency
from runs.quotas import limited_usages
from runs.views.launches.answerers import as_connections
from runs.views.launches.choices import Choice, whole_or_none


@dataclass(frozen=True, slots=True)
class Extent:
    """What names the chosen cases, how many there are, and how many trials agents make of them.

    `limits` are sentences: where the pack lets fewer trials be made than that.
    """

    named: str = ""
    cases: int = 0
    total: int = 0
    limits: list[str] = field(default_factory=list)


def forecast(version: PackVersion, choice: Choice, sets: Sequence[Mapping[str, Any]], agents: Any) -> dict[str, Any]:
    """How many trials will run, what they will take and find, and the same launch as a command and an API call."""
    chosen = [card["row"] for card in agents if card["chosen"]]
    extent = extent_of(version, choice, sets, [row.name for row in chosen])
    row, at_once = chosen_set(sets), whole_or_none(choice.at_once) or default_concurrency()
    outlook = outlook_of(version, row, chosen, extent, at_once)
    return {
        "cases": extent.cases,
        "agents": len(chosen),
        "trials": whole_or_none(choice.trials),
        "total": extent.total,
        "limits": extent.limits if extent.total else [],
        **outlook,
        "quotas": list(
            limited_usages(version.pack.team, {TRIALS: extent.total, MONEY: outlook.get("cost_usd") or 0.0})
        ),
        "needs_set": bool(sets) and not extent.named,
        "command": shlex.join(command_of(version, choice, extent.named, [row.name for row in chosen])),
        "call": orjson.dumps(call_of(version, choice, extent.named, sets, chosen), option=orjson.OPT_INDENT_2).decode(),
    }


def outlook_of(
    version: PackVersion, row: VersionInputSet | None, agents: Sequence[Agent], extent: Extent, at_once: int
) -> dict[str, Any]:
    """What the trials will take and find, in words; nothing while none is planned."""
    if not extent.total:
        return {}
    found = estimate(version.pack, row.key if row else None, agents, extent.cases, extent.total, at_once)
    return {
        "at_once": at_once,
        "seconds": None if found.seconds is None else ceil(found.seconds),
        "cost_usd": found.cost_usd,
        "cost": None if found.cost_usd is None else f"${found.cost_usd:,.2f}",
        "unknown": found.unknown,
        "difference": found.difference and min(ceil(100 * found.difference), 101),
        "is_measured": found.is_measured,
    }


def command_of(version: PackVersion, choice: Choice, named: str, agents: Sequence[str]) -> list[str]:
    """The launch as words of the command line."""
    pack, trials = version.pack, whole_or_none(choice.trials)
    words = ["manage.py", "run", "start", f"{pack.slug}@{version.number}"]
    words += ["--team", pack.team.slug] if pack.team.slug != "default" else []
    words += ["--input-set", named] if named else []
    words += [word for name in agents for word in ("--agent", name)]
    words += ["--trials", str(trials)] if trials is not None and (trials > 1 or has_trials(version)) else []
    words += choice.words()
    words += [word for name, value in choice.answers for word in ("--model", f"{name}={value}")]
    return words + (["--name", choice.name] if choice.name else [])


def call_of(
    version: PackVersion, choice: Choice, named: str, sets: Sequence[Mapping[str, Any]], agents: Sequence[Any]
) -> dict[str, Any]:
    """The launch as the document that the API takes."""
    trials, row = whole_or_none(choice.trials), chosen_set(sets)
    return {
        "challenge_pack_version_id": version.pk,
        **({"input_set": ALL_SETS} if named == ALL_SETS else {}),
        **({"challenge_input_set_id": row.pk} if row else {}),
        "agent_deployment_ids": [agent.pk for agent in agents],
        **({} if trials is None else {"trials": trials}),
        **choice.members(),
        **({"connections": as_connections(choice.answers)} if choice.answers else {}),
        **({"name": choice.name} if choice.name else {}),
    }


def chosen_set(sets: Sequence[Mapping[str, Any]]) -> VersionInputSet | None:
    return next((card["row"] for card in sets if card["chosen"]), None)


def extent_of(version: PackVersion, choice: Choice, sets: Sequence[Mapping[str, Any]], agents: Sequence[str]) -> Extent:
    """What would be tried; nothing while no input set is chosen of several."""
    row = chosen_set(sets)
    takes_all = row is None and choice.input_set == ALL_SETS and runs_all_sets(version, sets)
    if sets and row is None and not takes_all:
        return Extent()
    named = ALL_SETS if takes_all else row.key if row else ""
    cases = row.case_count if row else sum(card["row"].case_count for card in sets) if sets else 1
    trials = whole_or_none(choice.trials)
    if has_trials(version) and trials != 0:
        plans = list(plan_cases(version, row, trials))
        return Extent(named, cases, count_trials(plans, agents), list(limits_of(plans, choice)))
    return Extent(named, cases, cases * (1 if trials is None else trials) * len(agents))


def limits_of(plans: Sequence[Plan], choice: Choice) -> Iterator[str]:
    """What the pack says that can keep trials from being made; a budget that is chosen stands in for that of the pack
    (agentv E.3)."""
    costs = {plan.trials.cost_usd for plan in plans if plan.count > 1 and plan.trials.cost_usd is not None}
    if costs:
        yield f"The trials of a case stop once they have cost {dollars(costs)}."
    wishes = wishes_of(plans)
    if not choice.cost.strip():
        if wishes.cost_usd is not None:
            yield f"The run stops once it has cost {dollars({wishes.cost_usd})}."
        of_sets = {limits["cost_usd"] for limits in wishes.set_limits.values() if "cost_usd" in limits}
        if of_sets:
            yield f"The trials of an input set stop once they have cost {dollars(of_sets)}."
    if any(limits.get("stops_on_error") for limits in wishes.set_limits.values()):
        yield "An input set stops at its first error."


def dollars(amounts: set[float]) -> str:
    """One amount, or from the least to the most."""
    least, most = min(amounts), max(amounts)
    reported = f"{least:g}" if least == most else f"{least:g} to {most:g}"
    return f"{reported} US dollars"


def has_trials(version: PackVersion) -> bool:
    """Whether the pack itself says how often its cases are tried."""
    return adapter_of(version.pack.format).HAS_TRIALS


def runs_all_sets(version: PackVersion, sets: Sequence[Any]) -> bool:
    """Whether a run of this version can take all of its input sets."""
    return len(sets) > 1 and adapter_of(version.pack.format).RUNS_ALL_SETS
