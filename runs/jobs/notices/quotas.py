"""Measures what teams use, and lets their administrators know when little of a quota is left."""

from datetime import timedelta

from celery import shared_task
from django.db.models import Q
from django.utils import timezone

from packs.models import Membership, Team
from packs.notices import QUOTA_NEAR, Notice
from packs.quotas import QUOTAS, Usage
from runs.jobs.notices.noting import note
from runs.models import StoredNotice
from runs.quotas import measure_recordings, usages

# How long nobody hears again of a quota that no day or month begins anew.
REST = timedelta(days=7)


@shared_task(name="runs.jobs.watch_quotas")  # type: ignore[untyped-decorator]  # Celery has no types
def watch_quotas() -> None:
    """Measure recordings, and say once a day, month or week which quotas are nearly used up."""
    measure_recordings()
    limited = Q()
    for quota in QUOTAS.values():
        limited |= Q(**{f"{quota.column}__isnull": False})
    for team in Team.objects.filter(limited):
        for usage in usages(team):
            if usage.is_near and not was_said(team, usage):
                note(warning(team, usage))


def was_said(team: Team, usage: Usage) -> bool:
    """Whether the team heard of it since the count began."""
    since = usage.quota.began() if usage.quota.began else timezone.now() - REST
    said = StoredNotice.objects.filter(team=team, kind=QUOTA_NEAR, created_at__gte=since)
    return any(facts["quota"] == usage.name for facts in said.values_list("facts", flat=True))


def warning(team: Team, usage: Usage) -> Notice:
    people = Membership.objects.who_administer().filter(team=team).values_list("user", flat=True)
    used = f"{usage.used_words} of {usage.limit_words}"
    return Notice(
        kind=QUOTA_NEAR,
        team=team.pk,
        title=f"{team}: {used} {usage.quota.is_used}.",
        place="studio:team",
        args=(team.slug,),
        people=frozenset(people),
        facts={"quota": usage.name, "used": usage.used, "limit": usage.limit, "team": team.slug},
    )
