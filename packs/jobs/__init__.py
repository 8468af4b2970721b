"""Long work on packs as Celery tasks: a page shows how far it is, and stops it.

The row is the truth; a message of the broker is only a hint that there is work.
"""

import logging
from collections.abc import Iterable
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from celery import shared_task
from django.conf import settings
from django.contrib.auth.models import User
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import F, Q
from django.utils import timezone

from packs.editing import (
    Applied,
    Change,
    EditRefused,
    FixedNodes,
    Seen,
    Thing,
    TooHeavy,
    TooManyFollow,
    apply,
    changes_of,
    fix_all,
    fix_at,
    fixer_for,
    is_too_much,
    rename,
)
from packs.editing.arranging import refuse_arranging
from packs.editing.sizes import is_heavy_node, is_large
from packs.formats.costs import MANY_CASES
from packs.formats.fixing import Fix
from packs.importing import ImportRefused
from packs.jobs.acts import ACTS
from packs.jobs.arriving import SHOWN_FINDINGS
from packs.jobs.budget import Overspent, budget
from packs.jobs.edits import parameters_of
from packs.jobs.progress import Progress, Stopped
from packs.jobs.proposals import PROPOSAL_ACTS
from packs.jobs.repositories import NEW, REPOSITORY_ACTS
from packs.jobs.travels import large
from packs.messages import own_mistake, send_job
from packs.models import OPEN_JOBS, Job, JobStatus, NodeRow, Pack, Team
from packs.publish import PublishRefused, refuse_archived
from packs.quotas import QuotaReached
from packs.remotes import Folder, RemoteRefused
from packs.repositories import checked

__all__ = [
    "ACTS",
    "PROPOSAL_ACTS",
    "cancel",
    "edit_or_start",
    "execute_job",
    "fix_all_or_start",
    "fix_or_start",
    "is_large",
    "large",
    "publishing",
    "rename_or_start",
    "send_lost_jobs",
    "start",
    "start_arranging",
    "start_check",
    "start_comparing",
    "start_on_large",
    "start_once",
    "start_proposing",
    "start_new_from_repository",
    "start_publishing",
    "start_repository",
    "start_restoring",
    "start_variant",
]

log = logging.getLogger(__name__)

EXECUTE = "packs.jobs.execute_job"
# A message that was not taken for this long counts as lost, and so does a job that gave no sign of life.
WAITING_SECONDS, SILENT_SECONDS = 15, 180
# Workers that end without a word while they do the same job; then nobody tries it again.
MAX_ATTEMPTS = 3
LOST = (
    "Workers stopped without a message during this job, {times} times: they were stopped, or it needs more memory than "
    "the machine has. Split the pack, or ask the operator to look at the worker's log."
)


def start(kind: str, **columns: Any) -> Job:
    """Make a job and send it, once the transaction is over."""
    job = Job.objects.create(kind=kind, **columns)
    transaction.on_commit(lambda: send(job.pk))
    return job


def start_once(kind: str, pack: Pack, parameters: dict[str, Any], **columns: Any) -> Job:
    """Make a job and send it, or give the user's own that waits or works already to do the same to the pack."""
    with transaction.atomic():
        Pack.objects.select_for_update().get(pk=pack.pk)
        mine = Job.objects.filter(kind=kind, pack=pack, user=columns["user"])
        found = mine.filter(status__in=OPEN_JOBS, cancel_requested_at=None)
        same = next((job for job in found if job.parameters == parameters), None)
        return same or start(kind, pack=pack, parameters=parameters, **columns)


def start_check(pack: Pack, user: User) -> Job:
    """The job that checks a large draft for a user: one that is open, that failed at this revision, or a new one."""
    mine = Job.objects.filter(kind="check", pack=pack, user=user)
    latest: Job | None = mine.filter(parameters={"revision": pack.revision}).first()
    if latest is not None and latest.status not in (JobStatus.COMPLETED, JobStatus.CANCELLED):
        return latest
    columns = {"team": pack.team, "user": user, "title": f"Check {pack}"[:300]}
    return start("check", pack=pack, parameters={"revision": pack.revision}, **columns)


def edit_or_start(
    pack: Pack,
    changes: Iterable[Change],
    user: User,
    seen_revision: int | Seen | None = None,
    label: str = "",
    known: NodeRow | None = None,
) -> Applied:
    """Make edits as `packs.editing.apply` does; where too many nodes follow a new key, or a document is too large for a
    request, `job` of the answer does so."""
    wanted = list(changes)
    try:
        return apply(pack, wanted, user, seen_revision, label, known, MANY_CASES)
    except (TooManyFollow, TooHeavy):
        columns = {"team": pack.team, "user": user, "title": (label or f"Edit {pack}")[:300]}
        job = start_once("edit", pack, parameters_of(wanted, seen_revision, label), **columns)
        return Applied(pack.revision, errors=pack.problem_errors, warnings=pack.problem_warnings, job=job.pk)


def fix_or_start(pack: Pack, row: NodeRow, code: str, at: str, user: User) -> tuple[Fix, Applied] | None:
    """Apply the fix of the finding of a code at a JSON Pointer in a node, as an edit; None where there is none."""
    found = None if is_too_much(pack, row) else fix_at(fixer_for(pack), row, code, at)
    if found is None:
        return None
    return found, edit_or_start(pack, changes_of(row, found.document), user, label=f"Fix: {found.label}")


def fix_all_or_start(pack: Pack, code: str, user: User) -> FixedNodes:
    """Apply every fix for findings of a code, in one edit; in a large draft, `job` of what was applied does so."""
    if not is_large(pack):
        return fix_all(pack, code, user)
    job = start_once("fix", pack, {"code": code}, team=pack.team, user=user, title=f"Fix {code} in {pack}"[:300])
    return FixedNodes(0, Applied(pack.revision, errors=pack.problem_errors, warnings=pack.problem_warnings, job=job.pk))


def rename_or_start(pack: Pack, thing: Thing, new: str, user: User) -> Applied:
    """Rename a thing as `packs.editing.rename` does; where too many nodes follow, `job` of the answer does so."""
    try:
        return rename(pack, thing, new, user, MANY_CASES)
    except TooManyFollow:
        columns = {"team": pack.team, "user": user, "title": f"Rename {thing} to {new}"[:300]}
        job = start_once("rename", pack, {**asdict(thing), "new": new}, **columns)
        return Applied(pack.revision, errors=pack.problem_errors, warnings=pack.problem_warnings, job=job.pk)


def start_on_large(kind: str, row: Any, user: User) -> Job | None:
    """The job that duplicates or removes (`kind`) a node with many cases or a large document; None where a request can
    do it."""
    if not is_heavy_node(row):
        return None
    columns = {"team": row.pack.team, "user": user, "title": f"{kind.capitalize()} {row.key}"[:300]}
    return start_once(kind, row.pack, {"kind": row.kind, "node": row.pk}, **columns)


def start_variant(pack: Pack, user: User, variant: str) -> Job:
    """The job that writes a large draft in another variant of its format, and says what that cannot say."""
    columns = {"team": pack.team, "user": user, "title": f"Export {pack} for {variant}"[:300]}
    return start_once("export", pack, {"variant": variant, "revision": pack.revision}, **columns)


def start_restoring(pack: Pack, user: User, end: str, node: int | None = None) -> Job:
    """The job that makes a large draft what a state was, or a node of it; `end` names it as `packs.comparing.End`."""
    columns = {"team": pack.team, "user": user, "title": f"Restore an earlier state of {pack}"[:300]}
    which = {} if node is None else {"node": node}
    return start_once("restore", pack, {"from": end, "revision": pack.revision, **which}, **columns)


def start_comparing(pack: Pack, user: User, parameters: dict[str, Any]) -> Job:
    """The job that compares states of a large pack: one that is open or that failed at it, or a new one."""
    mine = Job.objects.filter(kind="compare", pack=pack, user=user, parameters=parameters)
    latest: Job | None = mine.first()
    if latest is not None and latest.status not in (JobStatus.COMPLETED, JobStatus.CANCELLED):
        return latest
    title = f"Compare states of {pack}"[:300]
    return start_once("compare", pack, parameters, team=pack.team, user=user, title=title)


def start_repository(kind: str, pack: Pack, user: User, parameters: dict[str, Any]) -> Job:
    """The job that looks at the repository of a pack, pulls from it or pushes to it (`packs.jobs.repositories`)."""
    title = f"{REPOSITORY_ACTS[kind].title} {pack}"[:300]
    return start_once(kind, pack, parameters, team=pack.team, user=user, title=title)


def start_new_from_repository(team: Team, user: User, place: Folder, slug: str) -> Job:
    """The job that looks at a folder for a new pack. Raises RemoteRefused for what cannot be a folder."""
    parameters = {"repository": asdict(checked(place)), "slug": slug}
    title = f"Look at {place.folder or place.address}"[:300]
    return start(
        NEW, team=team, user=user, title=title, parameters={**parameters, "name": place.folder or place.address}
    )


def start_proposing(kind: str, pack: Pack, user: User, parameters: dict[str, Any]) -> Job:
    """The job that begins, merges or renews a proposal for a large draft (`packs.jobs.proposals`)."""
    title = f"{PROPOSAL_ACTS[kind].title} {pack}"[:300]
    return start_once(kind, pack, parameters, team=pack.team, user=user, title=title)


def start_arranging(pack: Pack, user: User, input_set: int, how: str) -> Job:
    """The job that keeps the cases of an input set of a large draft in files another way. Raises EditRefused."""
    refuse_arranging(pack, input_set, how)
    columns = {"team": pack.team, "user": user, "title": f"Move the cases of {pack} between files"[:300]}
    return start_once("arrange", pack, {"set": input_set, "how": how, "revision": pack.revision}, **columns)


def publishing(pack: Pack) -> Job | None:
    """The job that waits or works to publish the pack."""
    found: Job | None = Job.objects.filter(kind="publish", pack=pack, status__in=OPEN_JOBS).first()
    return found


def start_publishing(pack: Pack, user: User, notes: str, number: int | None) -> Job:
    """Have a job publish the draft; asked again by the same user, it is the same job. Raises PublishRefused."""
    parameters = {"notes": notes, "number": number}
    with transaction.atomic():
        refuse_archived(Pack.objects.select_for_update().get(pk=pack.pk))
        found = publishing(pack)
        if found is None:
            columns = {"team": pack.team, "user": user, "title": f"Publish {pack}"[:300]}
            return start("publish", pack=pack, parameters=parameters, **columns)
    if (found.user_id, found.parameters) != (user.pk, parameters):
        raise PublishRefused("pack_is_being_published", "This pack is being published already.")
    return found


def send(pk: int) -> None:
    """Send the message of a job. Where the broker cannot be reached, `send_lost_jobs` does so later."""
    send_job(EXECUTE, pk)


def cancel(job: Job) -> bool:
    """Stop a job: at once while it waits, soon while it is at work. False when it has ended already."""
    now = timezone.now()
    ends = {"status": JobStatus.CANCELLED, "finished_at": now, "cancel_requested_at": now}
    if Job.objects.filter(pk=job.pk, status=JobStatus.QUEUED).update(**ends):
        return True
    return Job.objects.filter(pk=job.pk, status=JobStatus.RUNNING).update(cancel_requested_at=now) == 1


def send_lost_jobs() -> int:
    """Send the messages of jobs again on which nobody works; gives how many."""
    now = timezone.now()
    unheard = Q(status=JobStatus.QUEUED, touched_at__lt=now - timedelta(seconds=WAITING_SECONDS))
    silent = Q(status=JobStatus.RUNNING, touched_at__lt=now - timedelta(seconds=SILENT_SECONDS))
    ends = {"status": JobStatus.FAILED, "finished_at": now, "error": LOST.format(times=MAX_ATTEMPTS)}
    Job.objects.filter(silent, attempts__gte=MAX_ATTEMPTS).update(**ends)
    lost = list(Job.objects.filter(unheard | silent).values_list("pk", flat=True))
    # Jobs whose worker was silent begin anew.
    Job.objects.filter(pk__in=lost).update(status=JobStatus.QUEUED, touched_at=now)
    for pk in lost:
        send(pk)
    return len(lost)


@shared_task(name=EXECUTE)  # type: ignore[untyped-decorator]  # Celery has no types
def execute_job(pk: int) -> None:
    """Do the work of a job that waits; nothing happens to one that somebody else has taken or stopped."""
    now = timezone.now()
    waiting = Job.objects.filter(pk=pk, status=JobStatus.QUEUED)
    if not waiting.update(status=JobStatus.RUNNING, started_at=now, touched_at=now, attempts=F("attempts") + 1):
        return
    job = Job.objects.select_related("team", "user", "pack__team").get(pk=pk)
    try:
        with budget(settings.JOB_SECONDS, settings.JOB_MEMORY):
            outcome = done(job, Progress(job.pk))
    except (OperationalError, InterfaceError):
        raise
    except Stopped:
        end(job, JobStatus.CANCELLED)
    except (ImportRefused, PublishRefused, EditRefused, RemoteRefused, QuotaReached) as refused:
        end(job, JobStatus.REFUSED, **refusal(refused))
    except Overspent as spent:
        log.warning("job-overspent", extra={"job": job.pk, "reason": spent.finding.message})
        end(job, JobStatus.REFUSED, outcome={"code": "over_budget", "findings": [spent.finding.as_dict()]})
    except Exception as error:
        log.exception("job-broke", extra={"job": job.pk})
        end(job, JobStatus.FAILED, error=own_mistake(error))
    else:
        end(job, JobStatus.COMPLETED, outcome=outcome, pack=job.pack, blob=job.blob)


def done(job: Job, progress: Progress) -> dict[str, Any]:
    """Do the work of a job; where it edited a large draft, another one checks that."""
    before = job.pack.revision if job.pack else None
    outcome = ACTS[job.kind](job, progress)
    if job.pack is not None:
        now = Pack.objects.select_related("team").get(pk=job.pack.pk)
        if before != now.revision != now.checked_revision and is_large(now):
            start_check(now, job.user)
    return outcome


def refusal(refused: ImportRefused | PublishRefused | EditRefused | RemoteRefused | QuotaReached) -> dict[str, Any]:
    """What a job says of content that refuses its work: a sentence, or findings with a code, or both."""
    error = "" if isinstance(refused, ImportRefused) else refused.message
    if isinstance(refused, EditRefused | RemoteRefused | QuotaReached):
        return {"error": error, "outcome": {"code": refused.code}}
    found = [finding.as_dict() for finding in refused.findings]
    return {"error": error, "outcome": {"code": refused.code, "findings": found[:SHOWN_FINDINGS]}}


def end(job: Job, status: JobStatus, **columns: Any) -> None:
    """Say how a job ended, unless it was said already."""
    now = timezone.now()
    Job.objects.filter(pk=job.pk, status__in=OPEN_JOBS).update(
        status=status, finished_at=now, touched_at=now, **columns
    )
