"""Undo and redo of what is too much for a request: a job, as the edit itself was."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User

from packs.editing import Applied, redo, redoable, undo, undoable
from packs.formats.costs import MANY_CASES
from packs.jobs.edits import require_no_conflict
from packs.jobs.progress import Progress
from packs.models import Job, Pack

MOVES: Mapping[str, Callable[[Pack, Any, UUID | None], Applied]] = {"undo": undo, "redo": redo}
NEXT: Mapping[str, Callable[[Pack, Any], UUID | None]] = {"undo": undoable, "redo": redoable}
_TITLES = {"undo": "Take back", "redo": "Make again"}


def large(pack: Pack, user: User, way: str) -> dict[str, Any] | None:
    """The columns of the job that the next undo or redo (`way`) has to be; None where a request can take it."""
    group = NEXT[way](pack, user)
    if group is None:
        return None
    edits = pack.edits.filter(group=group)
    if not edits.order_by()[MANY_CASES : MANY_CASES + 1].exists():
        return None
    first = edits.order_by("id").only("label")[0]
    title = f"{_TITLES[way]}: {first.label}" if first.label else _TITLES[way]
    columns = {"team": pack.team, "pack": pack, "user": user, "title": title[:300]}
    return {"kind": way, "parameters": {"group": str(group)}, **columns}


def travel(pack: Pack, job: Job, progress: Progress) -> dict[str, Any]:
    """Take back or make again the edits of a group. Parameter: group.

    Raises EditRefused where others have built on them since; then nothing was written.
    """
    group = UUID(job.parameters["group"])
    count = pack.edits.filter(group=group).count()
    progress.phase(f"{_TITLES[job.kind]} {count:,} changes, in one step")
    applied = MOVES[job.kind](pack, job.user, group)
    require_no_conflict(applied)
    return {"changed": count}
