"""How many trials a team runs, what it spends, and how large its recordings are; `packs.quotas` says what it may."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.core.cache import cache
from django.db.models import F, Func, IntegerField, Q, QuerySet, Sum

from packs.models import Team
from packs.quotas import (
    MONEY,
    QUOTAS,
    STORAGE,
    TRIALS,
    Usage,
    first_of_month,
    heed,
    heed_storage,
    limit_of,
    midnight,
    refusal,
    stored_bytes,
)
from runs.models import ENDED_RUNS, Attempt, Event, Rescore, Run, Trial, TrialRecord, TrialStatus
from runs.models.spending import spent_since
from runs.models.trials import SPENT

# Trials that have not begun.
NOT_BEGUN = (TrialStatus.HELD, TrialStatus.QUEUED)
# What a recording is made of: rows of trials, and the column that holds it.
RECORDINGS: tuple[tuple[type[Any], str], ...] = ((Event, "payload"), (Attempt, "events"), (TrialRecord, "record"))


# For how long pages show what was counted once.
SHOWN_SECONDS = 60


class Bytes(Func):
    """How many bytes a text takes."""

    template = "OCTET_LENGTH(%(expressions)s)"
    output_field = IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **more: Any) -> Any:
        return self.as_sql(compiler, connection, template="LENGTH(CAST(%(expressions)s AS BLOB))", **more)


def usages(team: Team) -> list[Usage]:
    """How much of each quota a team has used now."""
    return [Usage(name, COUNTED[name](team), limit_of(team, name)) for name in QUOTAS]


def recent_usages(team: Team) -> list[Usage]:
    """The same for pages, counted within the last minute."""
    key = f"usages:{team.pk}:{team.created_at.timestamp()}"
    used: dict[str, float] | None = cache.get(key)
    if used is None:
        used = {name: counted(team) for name, counted in COUNTED.items()}
        cache.set(key, used, SHOWN_SECONDS)
    return [Usage(name, used[name], limit_of(team, name)) for name in QUOTAS]


def limited_usages(team: Team, asked: Mapping[str, float]) -> Iterator[dict[str, Any]]:
    """The limited quotas of a team for a page: the `usage` of each, and the `refusal` where that stands in the way of
    what is asked for, by quota."""
    if any(limit_of(team, name) is not None for name in QUOTAS):
        for usage in recent_usages(team):
            if usage.limit is not None:
                yield {"usage": usage, "refusal": refusal(team, usage, asked.get(usage.name, 0))}


def money_warnings(team: Team, expected_usd: float = 0) -> list[dict[str, Any]]:
    """The same of the money quota alone, where little of it is left, or less than is expected to be spent."""
    if limit_of(team, MONEY) is None:
        return []
    found = limited_usages(team, {MONEY: expected_usd})
    return [each for each in found if each["usage"].name == MONEY and (each["usage"].is_near or each["refusal"])]


def trials_today(team: Team) -> int:
    """The trials of a team that began today, replaced tries among them, and those that wait to begin.

    Runs in the bin count as well.
    """
    since = midnight()
    runs = _at_work_since(team, since)
    trials = Trial._base_manager.filter(run__in=runs)
    replaced = Attempt._base_manager.filter(trial__run__in=runs, started_at__gte=since)
    return trials.filter(Q(started_at__gte=since) | Q(status__in=NOT_BEGUN)).count() + replaced.count()


def spent_this_month(team: Team) -> float:
    """What a team spent this month, in US dollars: its trials, replaced tries among them, re-scores, and calls outside
    of both.

    What imported trials cost elsewhere does not count; verdicts of a re-score that were adopted are in their trials.
    """
    since = first_of_month()
    runs = _at_work_since(team, since)
    trials = Trial._base_manager.filter(run__in=runs, finished_at__gte=since)
    replaced = Attempt._base_manager.filter(trial__run__in=runs, finished_at__gte=since)
    rescores = Rescore._base_manager.filter(run__team=team, finished_at__gte=since, adopted_at=None)
    own, judges = SPENT["cost_usd"]
    asked = sum(row.summary.get("judging", {}).get("cost_usd") or 0.0 for row in rescores.only("summary"))
    return (
        spent_since(team, since.date())
        + asked
        + sum(
            _sum(rows, columns)
            for rows, columns in (
                (trials.filter(record=None), (own, judges)),
                (trials.exclude(record=None), (judges,)),
                (replaced, (own, judges)),
            )
        )
    )


COUNTED: dict[str, Callable[[Team], float]] = {
    STORAGE: stored_bytes,
    TRIALS: trials_today,
    MONEY: spent_this_month,
}


def _at_work_since(team: Team, moment: Any) -> QuerySet[Run]:
    runs: QuerySet[Run] = Run._base_manager.filter(Q(finished_at=None) | Q(finished_at__gte=moment), team=team)
    return runs.order_by()


def _sum(rows: QuerySet[Any], columns: Iterable[str]) -> float:
    found = rows.order_by().aggregate(**{column: Sum(column) for column in columns})
    return sum(value or 0.0 for value in found.values())


def heed_trials(team: Team, asked: int, expected_usd: Callable[[], float] = float) -> None:
    """Raises QuotaReached where a team may not run so many trials, whose rows are there already, or pay for them.

    Call it in the transaction that writes the rows: two launches at once wait for each other. What the trials are
    expected to cost is asked for only where that matters.
    """
    limited = Team.objects.get(pk=team.pk)
    if all(getattr(limited, quota.column) is None for quota in QUOTAS.values()):
        return
    limited = Team.objects.select_for_update().get(pk=team.pk)
    heed_storage(limited)
    heed(limited, TRIALS, lambda: trials_today(limited) - asked, asked)
    heed_money(limited, expected_usd)


def heed_money(team: Team, expected_usd: Callable[[], float] = float) -> None:
    """Raises QuotaReached where a team may not spend more."""
    if limit_of(team, MONEY) is not None:
        heed(team, MONEY, lambda: spent_this_month(team), expected_usd())


def measure_recordings() -> None:
    """Note how large the recordings are of runs that ended since the last time."""
    for run in Run._base_manager.filter(recorded_bytes=None, status__in=ENDED_RUNS).only("pk", "finished_at"):
        # One that goes on meanwhile is measured when it ends.
        unchanged = Run._base_manager.filter(pk=run.pk, finished_at=F("finished_at"), status__in=ENDED_RUNS)
        unchanged.update(recorded_bytes=recorded_bytes(run))


def recorded_bytes(run: Run) -> int:
    """How many bytes the recordings of a run take."""
    sums = (
        model._base_manager.filter(trial__run=run).order_by().aggregate(total=Sum(Bytes(column)))["total"]
        for model, column in RECORDINGS
    )
    return sum(total or 0 for total in sums)
