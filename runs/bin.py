"""The bin: packs, runs and agents that people deleted, until they are brought back, purged, or `BIN_DAYS` are over.

What goes with a pack (its runs, the drafts of its proposals) has the same `deleted_at` as the pack, and comes back with
it. Managers leave out what lies in the bin (`packs.access`). What large runs hold is purged and indexed in batches, by
jobs: others write meanwhile, and where a worker ends half-way the next one goes on.
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from celery import shared_task
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from packs.access import Permission
from packs.audit import record
from packs.messages import send_job
from packs.models import Case, Edit, Pack, PackVersion, SearchEntry, Team, VersionCase
from packs.models.searched import keep
from runs.jobs.gating.checks import pinned_baselines
from runs.launch.gating.scheduling import forget_all
from runs.models import (
    ENDED_RUNS,
    OPEN_RESCORES,
    Agent,
    Badge,
    Gate,
    GateCheck,
    GateRequest,
    GateSchedule,
    Release,
    Rescore,
    ReviewRequest,
    Run,
    SharedPage,
    Trial,
)

log = logging.getLogger(__name__)
# Rows that go in one transaction.
BATCH = 500
# With up to so many trials a request does it all by itself.
AT_ONCE = 5000
FINISH_PURGES, INDEX_TRIALS = "runs.bin.finish_purges", "runs.bin.index_trials"


Row = Pack | Run | Agent
# What can lie in the bin, by its name in addresses and in the audit log.
KINDS: dict[str, type[Any]] = {"pack": Pack, "run": Run, "agent": Agent}
# What somebody must be allowed who deletes a thing and brings it back; purging is for administrators.
NEEDED = {"pack": Permission.CURATE, "run": Permission.CURATE, "agent": Permission.ADMINISTER}


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What stands in the way, in a sentence, with a stable code."""

    code: str
    message: str


NOT_IN_BIN = Obstacle("not_in_bin", "It is not in the bin any more.")
PACK_IS_DELETED = Obstacle("pack_is_deleted", "Its pack is in the bin. Bring back the pack first.")


class BinRefused(Exception):
    """It cannot be deleted or brought back now; `obstacles` say why, the message is that of the first."""

    def __init__(self, *obstacles: Obstacle) -> None:
        super().__init__(obstacles[0].message)
        self.obstacles = obstacles
        self.message = obstacles[0].message


def kind_of(row: Row) -> str:
    return next(name for name, model in KINDS.items() if isinstance(row, model))


def runs_with(row: Row) -> QuerySet[Run]:
    """The runs that go into the bin with a pack; a run alone goes by itself, and an agent leaves all of them."""
    if isinstance(row, Pack):
        return Run.objects.filter(version__pack=row)
    return Run.objects.filter(pk=row.pk) if isinstance(row, Run) else Run.objects.none()


def obstacles(row: Row) -> Iterator[Obstacle]:
    """Why a row cannot be deleted now."""
    runs = runs_with(row)
    for release in Release.objects.filter(run__in=runs)[:5]:
        made = f"Release {release} was made with run {release.run_id}. Take the release off the run first."
        yield Obstacle("release_made_with_run", made)
    at_work = Run.objects.filter(agents__agent=row).distinct() if isinstance(row, Agent) else runs
    for run in at_work.exclude(status__in=ENDED_RUNS)[:5]:
        yield Obstacle("run_not_ended", f"Run {run.pk} has not ended. Wait for it, or cancel it.")
    for number in Rescore.objects.filter(run__in=runs, status__in=OPEN_RESCORES).values_list("run", flat=True)[:5]:
        yield Obstacle("run_being_scored", f"Run {number} is being scored again. Wait for that, or stop it.")
    if isinstance(row, Run):
        yield from _needed_as_baseline(row)


def _needed_as_baseline(run: Run) -> Iterator[Obstacle]:
    gate = pinned_baselines(Pack.objects.filter(pk=run.version.pack_id)).get(run.pk)
    if gate is not None:
        named = f"It is the baseline of the gate {Gate(gate).label}. Choose another baseline first."
        yield Obstacle("run_is_baseline", named)
    if GateRequest.objects.filter(baseline=run.pk, run__finished_at=None, run__deleted_at=None).exists():
        yield Obstacle("run_is_compared", "A run that has not ended will be compared with it.")


def dependents(row: Row) -> list[tuple[int, str]]:
    """What goes into the bin with a row, or loses something by it: how many, and what."""
    if isinstance(row, Agent):
        counted = [
            (Run.objects.filter(agents__agent=row).distinct().count(), "Runs that it took part in, and that stay"),
            (GateSchedule.objects.kept().filter(agent=row).count(), "Schedules that rest until it is back"),
        ]
        return [(count, name) for count, name in counted if count]
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


def delete(row: Row, user: User) -> None:
    """Put a row into the bin. Raises BinRefused with all that needs it."""
    with transaction.atomic():
        if not _held(row).exists():
            raise BinRefused(Obstacle("in_bin_already", "It is in the bin already, or its pack is."))
        reasons = list(obstacles(row))
        if reasons:
            raise BinRefused(*reasons)
        _put(row, timezone.now(), user)
        record(f"{kind_of(row)}.deleted", row, team=row.team, by=user)


def _held(row: Row) -> QuerySet[Any]:
    """The pack of a row, or the agent, locked. A launch holds the pack as well: a run is there before its pack is
    looked at, or refused after."""
    if isinstance(row, Agent):
        return Agent.objects.select_for_update().filter(pk=row.pk)
    pack = row.pk if isinstance(row, Pack) else row.version.pack_id
    return Pack.objects.select_for_update().filter(pk=pack)


def _put(row: Row, moment: datetime, user: User) -> None:
    stamps = {"deleted_at": moment, "deleted_by": user}
    if isinstance(row, Agent):
        Agent.objects.filter(pk=row.pk).update(**stamps)
        keep(Agent, Agent.searched, [row.pk])
        return
    runs = list(runs_with(row).values_list("pk", flat=True))
    Run.objects.filter(pk__in=runs).update(**stamps)
    if isinstance(row, Pack):
        packs = list(Pack.objects.filter(Q(pk=row.pk) | Q(proposal__pack=row)).values_list("pk", flat=True))
        Pack.objects.filter(pk__in=packs).update(**stamps)
        keep(Pack, Pack.searched, packs)
    _index(runs)


def _index(runs: list[int]) -> None:
    """Keep the index of words for runs that came or went, and for their trials; jobs do that for large runs.

    Search asks the rows themselves, so nobody finds a trial that went.
    """
    keep(Run, Run.searched, runs)
    sizes = dict(Run._base_manager.filter(pk__in=runs).order_by().values_list("pk", "trial_count"))
    for run in runs:
        if sum(sizes.values()) <= AT_ONCE:
            index_trials(run)
        else:
            transaction.on_commit(partial(send_job, INDEX_TRIALS, run))


@shared_task(name=INDEX_TRIALS)  # type: ignore[untyped-decorator]  # Celery has no types
def index_trials(run: int) -> None:
    """Keep the index of words for the trials of a run, by its id."""
    for keys in _batches(Trial._base_manager.filter(run=run)):
        keep(Trial, Trial.searched, keys)


def _batches(rows: QuerySet[Any]) -> Iterator[list[int]]:
    """The ids of rows, a batch at a time, also while those of earlier batches go."""
    last = 0
    while keys := list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        yield keys
        last = keys[-1]


def in_bin(team: Team, kind: str) -> QuerySet[Any]:
    """What of a kind lies in the bin of a team by itself, the newest first: no run of a deleted pack, no proposal."""
    alone = {Pack: {"proposal": None}, Run: {"version__pack__deleted_at": None}}
    model = KINDS[kind]
    rows: QuerySet[Any] = _kept_in_bin(model).filter(team=team, **alone.get(model, {}))
    related = ("team", "deleted_by", *(["version__pack"] if model is Run else []))
    return rows.select_related(*related).order_by("-deleted_at", "-pk")


def _kept_in_bin(model: type[Any]) -> QuerySet[Any]:
    """The rows in the bin that can come back."""
    stays = {} if model is Agent else {"purge_began_at": None}
    rows: QuerySet[Any] = model._base_manager.filter(deleted_at__isnull=False, **stays)
    return rows


def _hold(row: Row) -> None:
    """Keep others from bringing a row back or purging it until the transaction ends.

    Raises BinRefused where somebody did so meanwhile.
    """
    if not _kept_in_bin(type(row)).select_for_update().filter(pk=row.pk).exists():
        raise BinRefused(NOT_IN_BIN)


def bring_back(row: Row, user: User) -> None:
    """Take a row out of the bin, with what went there with it. Raises BinRefused."""
    back = {"deleted_at": None, "deleted_by": None}
    together = {"deleted_at": row.deleted_at, "deleted_at__isnull": False}
    with transaction.atomic():
        _hold(row)
        _heed_name(row)
        if isinstance(row, Agent):
            Agent._base_manager.filter(pk=row.pk, **together).update(**back)
            keep(Agent, Agent.searched, [row.pk])
            record("agent.restored", row, team=row.team, by=user)
            return
        if isinstance(row, Pack):
            found = Pack._base_manager.filter(Q(pk=row.pk) | Q(proposal__pack=row), **together)
            runs = Run._base_manager.filter(version__pack=row, **together)
        else:
            if row.version.pack.deleted_at is not None:
                raise BinRefused(PACK_IS_DELETED)
            found, runs = Pack._base_manager.none(), Run._base_manager.filter(pk=row.pk, **together)
        keys, packs = list(runs.values_list("pk", flat=True)), list(found.values_list("pk", flat=True))
        Pack._base_manager.filter(pk__in=packs).update(**back)
        Run._base_manager.filter(pk__in=keys).update(**back)
        keep(Pack, Pack.searched, packs)
        _index(keys)
        record(f"{kind_of(row)}.restored", row, team=row.team, by=user)


def _heed_name(row: Row) -> None:
    """Raises BinRefused where something else has the name of a row in the bin by now."""
    column = {Pack: "slug", Agent: "name"}.get(type(row))
    name = getattr(row, column) if column else ""
    if column and type(row).objects.filter(team=row.team_id, **{column: name}).exists():
        kind = kind_of(row)
        raise BinRefused(Obstacle("name_is_taken", f"Another {kind} has the name {name} now. Delete that one first."))


def purge(row: Row, user: User | None = None) -> None:
    """Delete for ever what lies in the bin. Bytes that nothing refers to any more go with the next sweep.

    Raises BinRefused where it was brought back meanwhile.
    """
    begin_purge(row, user)
    finish_purge(row)


def purge_soon(row: Row, user: User) -> bool:
    """The same for a request: whether it is done already; a job does it for large runs. Raises BinRefused."""
    begin_purge(row, user)
    if (_runs_of(row).aggregate(total=Sum("trial_count"))["total"] or 0) <= AT_ONCE:
        finish_purge(row)
        return True
    transaction.on_commit(partial(send_job, FINISH_PURGES, row.team_id))
    return False


def begin_purge(row: Row, user: User | None) -> None:
    """Let a row leave the bin for ever: from now on it does not come back. Raises BinRefused."""
    with transaction.atomic():
        _hold(row)
        if not isinstance(row, Agent):
            type(row)._base_manager.filter(pk=row.pk).update(purge_began_at=timezone.now())
        record(f"{kind_of(row)}.purged", str(row), team=row.team, by=user)


def finish_purge(row: Row) -> None:
    """Delete what is left of a row that leaves the bin; it can be repeated."""
    for run in _runs_of(row):
        for keys in _batches(Trial._base_manager.filter(run=run)):
            with transaction.atomic():
                SearchEntry.objects.filter(kind=Trial.searched.kind, ref__in=keys).delete()
                Trial._base_manager.filter(pk__in=keys).delete()
        run.delete()
    if isinstance(row, Run):
        return
    forget_all(row.gate_schedules.all())
    if isinstance(row, Pack):
        for draft in Pack._base_manager.filter(proposal__pack=row):
            _remove_draft(draft)
        _remove(VersionCase._base_manager.filter(version__pack=row))
        PackVersion._base_manager.filter(pack=row).delete()
        _remove_draft(row)
    else:
        row.delete()


def _runs_of(row: Row) -> QuerySet[Run]:
    """The runs that leave the bin with a row."""
    if isinstance(row, Agent):
        return Run.objects.none()
    runs: QuerySet[Run] = Run._base_manager.order_by("pk").only("pk")
    return runs.filter(version__pack=row) if isinstance(row, Pack) else runs.filter(pk=row.pk)


def _remove_draft(draft: Pack) -> None:
    for model in (Edit, Case):
        _remove(model._base_manager.filter(pack=draft))
    draft.delete()


def _remove(rows: QuerySet[Any]) -> None:
    """Delete rows with all that belongs to them, a batch at a time."""
    for keys in _batches(rows):
        rows.model._base_manager.filter(pk__in=keys).delete()


@shared_task(name=FINISH_PURGES)  # type: ignore[untyped-decorator]  # Celery has no types
def finish_purges(team: int) -> None:
    """Go on with all that leaves the bin of a team for ever, by the id of the team."""
    for model in (Run, Pack):
        for row in model._base_manager.filter(team=team, purge_began_at__isnull=False):
            finish_purge(row)


def days_left(row: Row) -> int:
    """For how many more days it can be brought back."""
    if row.deleted_at is None:
        return int(settings.BIN_DAYS)
    return max(0, (row.deleted_at + timedelta(days=settings.BIN_DAYS) - timezone.now()).days + 1)


@shared_task(name="runs.bin.purge_old")  # type: ignore[untyped-decorator]  # Celery has no types
def purge_old() -> None:
    """Delete for ever what has been in the bin for `BIN_DAYS`, and what was left half-way."""
    for team in Team.objects.values_list("pk", flat=True):
        finish_purges(team)
    oldest = timezone.now() - timedelta(days=settings.BIN_DAYS)
    for model in (Run, Pack, Agent):
        for row in model._base_manager.filter(deleted_at__lt=oldest).select_related("team"):
            if model is not Pack or not hasattr(row, "proposal"):
                with suppress(BinRefused):
                    purge(row)
                    log.info("bin-purged", extra={"kind": kind_of(row), "name_of_row": str(row)})
