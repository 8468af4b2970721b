"""Undo and redo of what is too much for a request: a job, as the edit itself was."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import F, QuerySet, TextField, Value
from django.db.models.functions import Concat, Length, Replace

from packs.editing import Applied, redo, redoable, undo, undoable
from packs.formats.costs import MANY_CASES
from packs.formats.document import NodeKind
from packs.jobs.edits import require_no_conflict
from packs.jobs.progress import Progress
from packs.models import Edit, Job, Pack

MOVES: Mapping[str, Callable[[Pack, Any, UUID | None], Applied]] = {"undo": undo, "redo": redo}
NEXT: Mapping[str, Callable[[Pack, Any], UUID | None]] = {"undo": undoable, "redo": redoable}
POSITION = '"position":'
_TITLES = {"undo": "Take back", "redo": "Make again"}


def large(pack: Pack, user: User, way: str) -> dict[str, Any] | None:
    """The columns of the job that the next undo or redo (`way`) has to be; None where a request can take it."""
    group = NEXT[way](pack, user)
    if group is None:
        return None
    edits = pack.edits.filter(group=group)
    if not edits.order_by()[MANY_CASES : MANY_CASES + 1].exists() and not moves_many(edits):
        return None
    first = edits.order_by("id").only("label")[0]
    title = f"{_TITLES[way]}: {first.label}" if first.label else _TITLES[way]
    columns = {"team": pack.team, "pack": pack, "user": user, "title": title[:300]}
    return {"kind": way, "parameters": {"group": str(group)}, **columns}


def moves_many(edits: QuerySet[Edit]) -> bool:
    """Whether one of some edits adds or removes an input set with many cases: each has a position in its snapshot."""
    sets = edits.filter(kind=NodeKind.INPUT_SET, action__in=(Edit.Action.ADD, Edit.Action.REMOVE))
    kept = Concat(F("old"), F("new"), output_field=TextField())
    without = Replace(kept, Value(POSITION), Value(""))
    sizes = sets.order_by().annotate(size=Length(kept) - Length(without))
    return sizes.filter(size__gt=len(POSITION) * (MANY_CASES + 1)).exists()


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
