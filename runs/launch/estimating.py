"""What earlier runs of a pack say of a planned one: its time, its cost, and how large a difference it will find."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Any

from django.core.cache import cache
from django.db.models import Avg, Count, Q, QuerySet

from packs.models import Pack
from runs.models import Agent, Run, RunStatus, Trial
from runs.models.runs import ResponseCache
from runs.models.trial_counts import stamps_of
from runs.models.trials import JUDGED, TrialStatus
from runs.statistics.planning import WIDEST, Moments, Spread, smallest_difference, spread_of

# So many earlier runs are looked at, and none with more trials than this.
EARLIER, MOST_TRIALS = 4, 50_000
KEPT_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Pace:
    """The mean trial of an agent in its last run of a pack, judges included; None where nobody knows."""

    seconds: float | None
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a plan will take, and the smallest difference of pass rates that two agents need for it to be found.

    `seconds` and `cost_usd` are None where an agent has no earlier run that tells; `unknown` names those without any.
    `is_measured` says whether the difference stands on how agents differed in earlier runs; if not, on the widest
    spread there can be.
    """

    seconds: float | None
    cost_usd: float | None
    unknown: tuple[str, ...]
    difference: float | None
    is_measured: bool


def estimate(
    pack: Pack, input_set: str | None, agents: Sequence[Agent], cases: int, total: int, concurrency: int
) -> Estimate:
    """The estimate of `total` trials of cases by agents; `input_set` is the key of one set, None of all."""
    paces = paces_of(pack, agents)
    share = total / len(agents) if agents else 0.0
    seconds = _sum([paces[agent.pk].seconds if agent.pk in paces else None for agent in agents])
    cost = _cost(paces, agents, total)
    spread = spread_of_pack(pack, input_set)
    trials = max(1, round(share / cases)) if cases else 1
    return Estimate(
        None if seconds is None else share * seconds / concurrency,
        cost,
        tuple(agent.name for agent in agents if agent.pk not in paces),
        smallest_difference(spread or WIDEST, cases, trials),
        spread is not None,
    )


def expected_cost(pack: Pack, agents: Sequence[Agent], total: int) -> float | None:
    """What so many trials of a pack by agents will cost in US dollars, as far as earlier runs tell."""
    return _cost(paces_of(pack, agents), agents, total)


def _cost(paces: Mapping[int, "Pace"], agents: Sequence[Agent], total: int) -> float | None:
    costs = _sum([paces[agent.pk].cost_usd if agent.pk in paces else None for agent in agents])
    return None if costs is None else costs * total / len(agents)


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def ended_runs(pack: Pack) -> QuerySet[Run]:
    """The latest runs of a pack that came to their end, the newest first."""
    rows: QuerySet[Run] = Run.objects.filter(version__pack=pack, status=RunStatus.COMPLETED)
    return rows.filter(trial_count__lte=MOST_TRIALS).order_by("-pk")


def paces_of(pack: Pack, agents: Sequence[Agent]) -> dict[int, Pace]:
    """The pace of each agent that was in an earlier run, by its id.

    Runs that could take answers from the response cache do not tell: those take no time.
    """
    last: dict[int, int] = {}
    asked = ended_runs(pack).filter(response_cache=ResponseCache.OFF, agents__agent__in=agents)
    for pk, agent in asked.values_list("pk", "agents__agent")[:100]:
        last.setdefault(agent, pk)
    found = {}
    for agent, run in last.items():
        rows = Trial.objects.filter(run=run, run_agent__agent=agent, status__in=JUDGED)
        mean = rows.aggregate(seconds=Avg("seconds"), cost=Avg("cost_usd"), judges=Avg("judge_cost_usd"))
        if mean["seconds"] is not None:
            cost = None if mean["cost"] is None else mean["cost"] + mean["judges"]
            found[agent] = Pace(mean["seconds"], cost)
    return found


def spread_of_pack(pack: Pack, input_set: str | None) -> Spread | None:
    """How agents differed over the cases of an input set in the last runs; None where no two tried the same cases."""
    runs = list(_of_set(ended_runs(pack), input_set).values_list("pk", flat=True)[:EARLIER])
    if not runs:
        return None
    # Results change after the end of a run too: trials are retried, judged anew and overruled.
    key = f"spread:{pack.pk}:{','.join(f'{pk}.{stamp}' for pk, stamp in stamps_of(*runs).items())}"
    kept: list[Any] | None = cache.get(key)
    if kept is None:
        found = mean_spread(list(_columns(runs)))
        kept = [] if found is None else [found.between, found.within, found.cases, found.has_repeats]
        cache.set(key, kept, KEPT_SECONDS)
    return Spread(*kept) if kept else None


def _of_set(rows: QuerySet[Run], input_set: str | None) -> QuerySet[Run]:
    return rows.filter(input_set=None) if input_set is None else rows.filter(input_set__key=input_set)


Column = Mapping[tuple[str, ...], Moments]


def _columns(runs: Sequence[int]) -> Iterator[Column]:
    """Each agent of each run: its judged trials by case, as ones and zeros."""
    rows = Trial.objects.filter(run__in=runs, status__in=JUDGED).order_by()
    counted = rows.values_list("run_agent", "case__input_set__key", "challenge_key", "case_key").annotate(
        judged=Count("pk"), passed=Count("pk", filter=Q(status=TrialStatus.PASSED))
    )
    found: dict[int, dict[tuple[str, ...], Moments]] = {}
    for agent, *case, judged, passed in counted:
        found.setdefault(agent, {})[*case,] = Moments(judged, passed, passed)
    yield from (found[agent] for agent in sorted(found))


def mean_spread(columns: Sequence[Column]) -> Spread | None:
    """The mean of the spreads of neighbouring columns with common cases; None without any."""
    shared = [[(one[case], other[case]) for case in one if case in other] for one, other in pairwise(columns)]
    spreads = [spread for cases in shared if (spread := spread_of(cases))]
    if not spreads:
        return None
    telling = [spread for spread in spreads if spread.has_repeats] or spreads
    return Spread(
        fmean(spread.between for spread in telling),
        fmean(spread.within for spread in telling),
        max(spread.cases for spread in telling),
        telling[0].has_repeats,
    )
