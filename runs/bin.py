"""The bin: packs and runs that people deleted, until they are brought back, purged, or `BIN_DAYS` are over.

What goes with a pack (its runs, the drafts of its proposals) has the same `deleted_at` as the pack, and comes back with
it. Managers leave out what lies in the bin (`packs.access`).
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta

from celery import shared_task
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from packs.audit import record
from packs.models import Pack, PackVersion, Team
from packs.models.searched import keep
from runs.models import (
    ENDED_RUNS,
    OPEN_RESCORES,
    Badge,
    GateCheck,
    GateRequest,
    GateSchedule,
    GateSettings,
    Release,
    Rescore,
    ReviewRequest,
    Run,
    SharedPage,
    Trial,
)
from runs.retention import pinned_baseline

log = logging.getLogger(__name__)


class BinRefused(Exception):
    """It cannot be deleted or brought back now; the message says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def runs_with(row: Pack | Run) -> QuerySet[Run]:
    """The runs that go into the bin with a pack; a run alone goes by itself."""
    found: QuerySet[Run] = (
        Run.objects.filter(version__pack=row) if isinstance(row, Pack) else Run.objects.filter(pk=row.pk)
    )
    return found


def obstacles(row: Pack | Run) -> Iterator[str]:
    """Why a pack or a run cannot be deleted now, each reason in a sentence."""
    runs = runs_with(row)
    for release in Release.objects.filter(run__in=runs)[:5]:
        yield f"Release {release} was made with run {release.run_id}. Take the release off the run first."
    for run in runs.exclude(status__in=ENDED_RUNS)[:5]:
        yield f"Run {run.pk} has not ended. Wait for it, or cancel it."
    for run in Rescore.objects.filter(run__in=runs, status__in=OPEN_RESCORES).values_list("run", flat=True)[:5]:
        yield f"Run {run} is being scored again. Wait for that, or stop it."
    if isinstance(row, Run):
        yield from _needed_as_baseline(row)


def _needed_as_baseline(run: Run) -> Iterator[str]:
    for gate in GateSettings.objects.filter(pack=run.version.pack_id):
        if pinned_baseline(gate) == str(run.pk):
            yield f"It is the baseline of the gate {gate.get_gate_display()}. Choose another baseline first."
    if GateRequest.objects.filter(baseline=run.pk, run__finished_at=None, run__deleted_at=None).exists():
        yield "A run that has not ended will be compared with it."


def dependents(row: Pack | Run) -> list[tuple[int, str]]:
    """What goes into the bin with a pack or a run, or loses something by it: how many, and what."""
    runs = runs_with(row)
    counted = [
        (Trial.objects.filter(run__in=runs).count(), "Trials"),
        (ReviewRequest.objects.filter(trial__run__in=runs).count(), "Reviews"),
        (GateCheck.objects.filter(run__in=runs).count(), "Verdicts of gates"),
        (
            GateCheck.objects.filter(baseline__in=runs).exclude(run__in=runs).count(),
            "Verdicts that compare with it, and stay",
        ),
        (_links_to(row), "Public links"),
    ]
    if isinstance(row, Pack):
        counted = [
            (PackVersion.objects.filter(pack=row).count(), "Versions"),
            (runs.count(), "Runs"),
            *counted,
            (row.proposals.count(), "Proposals"),
            (GateSchedule.objects.filter(pack=row).count(), "Schedules"),
            (Badge.objects.live().filter(pack=row).count(), "Badges"),
        ]
    return [(count, name) for count, name in counted if count]


def _links_to(row: Pack | Run) -> int:
    """How many public links show a run that goes into the bin, a comparison with one, or a replay of one."""
    named = [link.names for link in SharedPage.objects.live().filter(team=row.team)]
    trials = {pk for kind, keys in named for pk in keys if kind == "replay"}
    runs_of_trials = dict(Trial.objects.filter(pk__in=trials).values_list("pk", "run"))
    shown = [{runs_of_trials.get(pk, 0) for pk in keys} if kind == "replay" else keys for kind, keys in named]
    gone = set(runs_with(row).filter(pk__in=set().union(*shown)).values_list("pk", flat=True))
    return sum(bool(gone & keys) for keys in shown)


def delete(row: Pack | Run, user: User) -> None:
    """Put a pack or a run into the bin. Raises BinRefused where something needs it."""
    with transaction.atomic():
        # A launch holds the pack as well: a run is there before its pack is looked at, or refused after.
        pack = row.pk if isinstance(row, Pack) else row.version.pack_id
        if not Pack.objects.select_for_update().filter(pk=pack).exists():
            raise BinRefused("Its pack is in the bin already.")
        reason = next(obstacles(row), None)
        if reason is not None:
            raise BinRefused(reason)
        _put(row, timezone.now(), user)
        record(f"{_kind(row)}.deleted", row, team=row.team, by=user)


def _kind(row: Pack | Run) -> str:
    return "pack" if isinstance(row, Pack) else "run"


def _put(row: Pack | Run, moment: datetime, user: User) -> None:
    stamps = {"deleted_at": moment, "deleted_by": user}
    runs = list(runs_with(row).values_list("pk", flat=True))
    Run.objects.filter(pk__in=runs).update(**stamps)
    if isinstance(row, Pack):
        packs = list(Pack.objects.filter(Q(pk=row.pk) | Q(proposal__pack=row)).values_list("pk", flat=True))
        Pack.objects.filter(pk__in=packs).update(**stamps)
        keep(Pack, Pack.searched, packs)
    _index(runs)


def _index(runs: list[int]) -> None:
    """Keep the index of words for runs that came or went, and for their trials."""
    keep(Run, Run.searched, runs)
    keep(Trial, Trial.searched, list(Trial.objects.filter(run__in=runs).values_list("pk", flat=True)))


def in_bin(team: Team) -> tuple[list[Pack], list[Run]]:
    """The packs of a team in its bin, and the runs that were deleted by themselves, the newest first."""
    packs = Pack._base_manager.filter(team=team, proposal=None, deleted_at__isnull=False).select_related("deleted_by")
    runs = Run._base_manager.filter(team=team, version__pack__deleted_at=None, deleted_at__isnull=False)
    related = runs.select_related("deleted_by", "version__pack").order_by("-deleted_at")
    return list(packs.order_by("-deleted_at")), list(related)


def _hold(row: Pack | Run) -> None:
    """Keep others from bringing a row back or purging it until the transaction ends.

    Raises BinRefused where somebody did so meanwhile.
    """
    if not type(row)._base_manager.select_for_update().filter(pk=row.pk, deleted_at__isnull=False).exists():
        raise BinRefused("It is not in the bin any more.")


def bring_back(row: Pack | Run, user: User) -> None:
    """Take a pack or a run out of the bin, with what went there with it. Raises BinRefused."""
    back = {"deleted_at": None, "deleted_by": None}
    together = {"deleted_at": row.deleted_at, "deleted_at__isnull": False}
    with transaction.atomic():
        _hold(row)
        if isinstance(row, Pack):
            if Pack.objects.filter(team=row.team_id, slug=row.slug).exists():
                raise BinRefused(f"Another pack has the name {row.slug} now. Delete that one first.")
            found = Pack._base_manager.filter(Q(pk=row.pk) | Q(proposal__pack=row), **together)
            runs = Run._base_manager.filter(version__pack=row, **together)
        else:
            if row.version.pack.deleted_at is not None:
                raise BinRefused("Its pack is in the bin. Bring back the pack first.")
            found, runs = Pack._base_manager.none(), Run._base_manager.filter(pk=row.pk, **together)
        keys, packs = list(runs.values_list("pk", flat=True)), list(found.values_list("pk", flat=True))
        Pack._base_manager.filter(pk__in=packs).update(**back)
        Run._base_manager.filter(pk__in=keys).update(**back)
        keep(Pack, Pack.searched, packs)
        _index(keys)
        record(f"{_kind(row)}.restored", row, team=row.team, by=user)


def purge(row: Pack | Run, user: User | None = None) -> None:
    """Delete for ever what lies in the bin. Bytes that nothing refers to any more go with the next sweep.

    Raises BinRefused where it was brought back meanwhile.
    """
    kind, name, team = _kind(row), str(row), row.team
    with transaction.atomic():
        _hold(row)
        if isinstance(row, Pack):
            for run in Run._base_manager.filter(version__pack=row).only("pk"):
                run.delete()
            for draft in Pack._base_manager.filter(proposal__pack=row):
                draft.delete()
            PackVersion._base_manager.filter(pack=row).delete()
        row.delete()
        record(f"{kind}.purged", name, team=team, by=user)


def days_left(row: Pack | Run) -> int:
    """For how many more days it can be brought back."""
    if row.deleted_at is None:
        return int(settings.BIN_DAYS)
    return max(0, (row.deleted_at + timedelta(days=settings.BIN_DAYS) - timezone.now()).days + 1)


@shared_task(name="runs.bin.purge_old")  # type: ignore[untyped-decorator]  # Celery has no types
def purge_old() -> None:
    """Delete for ever what has been in the bin for `BIN_DAYS`."""
    oldest = timezone.now() - timedelta(days=settings.BIN_DAYS)
    for model in (Run, Pack):
        for row in model._base_manager.filter(deleted_at__lt=oldest).select_related("team"):
            if model is Run or not hasattr(row, "proposal"):
                with suppress(BinRefused):
                    purge(row)
                    log.info("bin-purged", extra={"kind": _kind(row), "name_of_row": str(row)})
