"""What a team may use: bytes stored, trials a day, money a month. Quotas warn before they refuse.

`runs.quotas` counts trials and money; what a team stores is counted here, where bytes come in.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Sum
from django.template.defaultfilters import date, filesizeformat
from django.utils import timezone

from packs.blobs import digests_in_json, referring
from packs.companion import companion
from packs.models import Blob, Membership, Team

STORAGE, TRIALS, MONEY = "storage", "trials", "money"
# From this share of a quota on people are warned.
WARNING_SHARE = 0.8
GIGABYTE = 1024**3
BATCH = 500


def midnight() -> datetime:
    """When this day began, in the time of the studio."""
    return timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)


def first_of_month() -> datetime:
    """When this month began."""
    return midnight().replace(day=1)


@dataclass(frozen=True, slots=True)
class Quota:
    """One kind of quota: the column of `Team` that limits it, times `scale`, and the words for it.

    `began` says since when is counted, `ends` when that begins anew; neither is given where what is there counts.
    """

    column: str
    scale: float
    title: str
    allows: str
    is_used: str
    refuses: str
    shown: Callable[[float], str]
    began: Callable[[], datetime] | None = None
    ends: Callable[[], datetime] | None = None


QUOTAS: Mapping[str, Quota] = {
    STORAGE: Quota(
        "quota_storage_gb", GIGABYTE, "Storage", "may store {}", "stored", "add files or start runs", filesizeformat
    ),
    TRIALS: Quota(
        "quota_trials_per_day",
        1,
        "Trials today",
        "may run {} trials a day",
        "trials used",
        "start trials",
        lambda count: f"{count:,.0f}",
        midnight,
        lambda: midnight() + timedelta(days=1),
    ),
    MONEY: Quota(
        "quota_usd_per_month",
        1,
        "Money this month",
        "may spend {} a month",
        "spent",
        "start runs or ask judges and other models",
        lambda amount: f"${amount:,.2f}",
        first_of_month,
        lambda: (first_of_month() + timedelta(days=31)).replace(day=1),
    ),
}
# What makes room where no day or month ends.
ROOM = "Room is made by deleting packs and runs and emptying the bin, or by keeping recordings for fewer days."


class QuotaReached(Exception):
    """More than a team may use. `code` is stable; the message says which quota, how much, and what helps."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of a quota a team has used: bytes, trials or US dollars. `limit` is None where nobody set one."""

    name: str
    used: float
    limit: float | None

    @property
    def quota(self) -> Quota:
        return QUOTAS[self.name]

    @property
    def share(self) -> float | None:
        """How much of the limit is used; 1 where the limit is nothing."""
        if self.limit is None:
            return None
        return self.used / self.limit if self.limit else 1.0

    @property
    def is_near(self) -> bool:
        return self.share is not None and self.share >= WARNING_SHARE

    @property
    def is_reached(self) -> bool:
        return self.share is not None and self.share >= 1

    @property
    def percent(self) -> int:
        """The share in whole percent, at most 100; the last only where nothing is left."""
        return 100 if self.is_reached else int(100 * (self.share or 0))

    @property
    def tone(self) -> str:
        return "red" if self.is_reached else "amber" if self.is_near else "green"

    @property
    def frees_at(self) -> datetime | None:
        return self.quota.ends() if self.quota.ends else None

    @property
    def used_words(self) -> str:
        return self.quota.shown(self.used)

    @property
    def limit_words(self) -> str:
        return "" if self.limit is None else self.quota.shown(self.limit)

    @property
    def frees(self) -> str:
        """What helps, in a sentence."""
        return f"The count starts again on {date(self.frees_at, 'j F')} at 00:00 UTC." if self.frees_at else ROOM


def limit_of(team: Team, name: str) -> float | None:
    """The limit of a team, in bytes, trials or US dollars; None where there is none."""
    quota = QUOTAS[name]
    value = getattr(team, quota.column)
    return None if value is None else value * quota.scale


def heed(team: Team, name: str, used: Callable[[], float], asked: float = 0) -> None:
    """Raises QuotaReached where a team has used up a quota, or would with what is asked for."""
    limit = limit_of(team, name)
    if limit is None:
        return
    reason = refusal(team, Usage(name, used(), limit), asked)
    if reason:
        raise QuotaReached(f"{name}_quota_reached", reason)


def refusal(team: Team, usage: Usage, asked: float = 0) -> str:
    """Which quota stands in the way, how much of it is used, when that ends, and who can raise it.

    Empty where none does.
    """
    if usage.limit is None or not (usage.is_reached or usage.used + asked > usage.limit):
        return ""
    quota = usage.quota
    wants = f", and this needs {quota.shown(asked)}" if asked else ""
    allowed = f"{team} {quota.allows.format(usage.limit_words)}: {usage.used_words} {quota.is_used}{wants}."
    return f"{allowed} {usage.frees} {who_can_raise(team)} can raise the quota."


def who_can_raise(team: Team) -> str:
    """The administrators of a team by name."""
    rows = Membership.objects.who_administer().filter(team=team).select_related("user").order_by("user__username")
    names = [str(row.user) for row in rows]
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]])) if names else "An administrator of the studio"


def heed_storage(team: Team, more: int = 0) -> None:
    """Raises QuotaReached where a team may not store so many bytes more."""
    heed(team, STORAGE, lambda: stored_bytes(team), more)


def stored_bytes(team: Team) -> int:
    """The bytes that rows of a team refer to, each once, and those of the recordings of its runs; the bin counts."""
    return total_of(digests_of(team)) + companion().recorded_bytes(team.pk)


def digests_of(team: Team) -> set[str]:
    """What bytes the rows of a team refer to."""
    found = set(digests_in_json(team))
    for model, column in referring():
        path = model._default_manager.all().team_path
        rows = model._base_manager.filter(**{path: team, f"{column}__isnull": False})
        found.update(rows.values_list(column, flat=True))
    return found


def total_of(digests: Iterable[str]) -> int:
    """How many bytes these are together, as far as they are stored."""
    listed = list(digests)
    parts = (listed[start : start + BATCH] for start in range(0, len(listed), BATCH))
    return sum(Blob.objects.filter(pk__in=part).aggregate(total=Sum("size"))["total"] or 0 for part in parts)
