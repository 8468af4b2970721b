"""Undo, redo and the history of a draft. All of it lives in rows, so it works after a reload and on another day."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, QuerySet, Subquery

from packs.editing.draft import ROOM, Author, Draft, changing
from packs.editing.rechecking import MANY
from packs.editing.transitions import Transition, backwards, carry_out, forwards
from packs.editing.values import Applied, Conflict, EditRefused
from packs.formats.comparing import same
from packs.formats.document import NodeKind
from packs.models import Edit, Pack, Travel

# Edits of one value by one person, typed with shorter pauses than this, are one step of undo.
PAUSE = timedelta(seconds=5)
# At most so many of them.
MAX_FOLDED = 200
# What is typed; half of a YAML text may say nothing for a moment.
TYPED = (str, int, float, type(None))
# How many edits of one moment are shown; a bulk edit has as many as a pack has cases.
FIRST_EDITS = 100


class BlockedError(Exception):
    """Something stands in the way of an undo; ends the transaction and never leaves this module."""

    def __init__(self, conflicts: list[Conflict]) -> None:
        super().__init__("blocked")
        self.conflicts = conflicts


@dataclass(slots=True)
class Moment:
    """Edits that were made together; `edits` are the first of them in the order in which they were made."""

    group: uuid.UUID
    label: str
    author: str
    at: datetime
    revision: int
    undone: bool
    count: int = 0
    edits: list[Edit] = field(default_factory=list)


def history(pack_row: Pack, *, limit: int = 50, before: int | None = None, since: int = 0) -> list[Moment]:
    """The latest moments of a draft, newest first; `before` is the revision of the last one already seen, `since` that
    of the first one wanted."""
    groups = pack_row.edits.filter(revision__gte=since).exclude(label=ROOM).order_by().values("group")
    groups = groups.annotate(last=Max("id"), made=Max("revision"), total=Count("id"))
    if before is not None:
        groups = groups.filter(made__lt=before)
    return [moment_of(pack_row, item["group"], item["total"]) for item in groups.order_by("-last")[:limit]]


def moment_of(pack_row: Pack, group: uuid.UUID, total: int) -> Moment:
    """A moment with its first edits."""
    rows: QuerySet[Edit] = pack_row.edits.filter(group=group).select_related("author").order_by("id")
    edits = list(rows[:FIRST_EDITS])
    first = edits[0]
    author = first.author.get_username() if first.author else ""
    return Moment(group, first.label, author, first.at, first.revision, first.undone, total, edits)


def undo(pack_row: Pack, author: Author, group: uuid.UUID | None = None) -> Applied:
    """Take back the author's latest edits that are not undone, or those of `group`, no matter who made them.

    What was typed into one value in one go is taken back together. What others have built on it since stands in the
    way: then the conflicts are returned and nothing is written.

    Raises EditRefused (nothing_to_undo).
    """
    try:
        with changing(pack_row, author) as draft:
            wanted = [group] if group else typed_in_one_go(draft.pack, author)
            edits = list(draft.pack.edits.filter(group__in=wanted, undone=False).order_by("-id"))
            prepare(draft, edits)
            return carry_out_all(draft, [backwards(edit) for edit in edits], undone=True)
    except BlockedError as blocked:
        return unwritten(pack_row, blocked.conflicts)


def redo(pack_row: Pack, author: Author, group: uuid.UUID | None = None) -> Applied:
    """Make the author's last undone edits again, those that were undone together, as long as the author has edited
    nothing since.

    Raises EditRefused (nothing_to_undo).
    """
    try:
        with changing(pack_row, author) as draft:
            wanted = {"group": group} if group else undone_together(draft.pack, author)
            edits = list(draft.pack.edits.filter(undone=True, **wanted).order_by("id")) if wanted else []
            prepare(draft, edits)
            return carry_out_all(draft, [forwards(edit) for edit in edits], undone=False)
    except BlockedError as blocked:
        return unwritten(pack_row, blocked.conflicts)


def undoable(pack_row: Pack, author: Author) -> uuid.UUID | None:
    """The group that `undo` takes back next."""
    return made(pack_row, author).order_by("-id").values_list("group", flat=True).first()


def typed_in_one_go(pack_row: Pack, author: Author) -> list[uuid.UUID]:
    """The groups that `undo` takes back next: the latest, with those before it that typed at the same value."""
    wanted: list[uuid.UUID] = []
    later: list[Edit] = []
    for group, found in groupby(made(pack_row, author).order_by("-id")[:MAX_FOLDED], lambda edit: edit.group):
        edits = list(found)
        if later and not (len(edits) == len(later) == 1 and goes_on(edits[0], later[0])):
            break
        wanted.append(group)
        later = edits
    return wanted


def goes_on(edit: Edit, later: Edit) -> bool:
    """Whether somebody typed on, soon, at the value that an edit left. Edits of programs have no label."""
    is_same = (edit.kind, edit.node, edit.pointer, edit.label) == (later.kind, later.node, later.pointer, later.label)
    is_value = edit.action == later.action == Edit.Action.SET and same(edit.new, later.old)
    is_typed = all(isinstance(each, TYPED) and not isinstance(each, bool) for each in (*edit.new, *later.new))
    return bool(edit.label) and is_same and is_value and is_typed and later.at - edit.at <= PAUSE


def undone_together(pack_row: Pack, author: Author) -> dict[str, Any]:
    """Which edits `redo` makes again next; nothing where there are none."""
    last = latest_undone(pack_row, author).first()
    return {"author": author, "touched": last.touched} if last is not None and last.is_next else {}


def redoable(pack_row: Pack, author: Author) -> uuid.UUID | None:
    """The group that `redo` makes again next."""
    last = latest_undone(pack_row, author).first()
    return last.group if last is not None and last.is_next else None


def travels(pack_row: Pack, author: Author) -> tuple[bool, bool]:
    """Whether there is something for `undo` and for `redo`, in one query."""
    is_next = Subquery(latest_undone(pack_row, author).values("is_next")[:1])
    row = Pack.objects.filter(pk=pack_row.pk).values_list(Exists(made(pack_row, author)), is_next)
    can_undo, can_redo = row.get()
    return bool(can_undo), bool(can_redo)


def made(pack_row: Pack, author: Author) -> QuerySet[Edit]:
    """The author's edits that stand."""
    rows: QuerySet[Edit] = pack_row.edits.filter(author=author, undone=False)
    return rows


def latest_undone(pack_row: Pack, author: Author) -> QuerySet[Any]:
    """The author's undone edits, the latest first; `is_next` where the author has made no other edit since."""
    others = made(pack_row, author).filter(id__gt=OuterRef("pk")).exclude(group=OuterRef("group"))
    rows: QuerySet[Any] = pack_row.edits.filter(author=author, undone=True).annotate(is_next=~Exists(others))
    return rows.order_by("-touched", "id")


def prepare(draft: Draft, edits: list[Edit]) -> None:
    """Read what many edits are about with few queries, and let many cases come and go at once."""
    draft.prepare((NodeKind(edit.kind), edit.node) for edit in edits)
    nodes = {edit.node for edit in edits}
    is_once_each = len(nodes) == len(edits)
    draft.is_bulk = len(edits) > MANY and is_once_each and all(edit.kind == NodeKind.CASE for edit in edits)


def carry_out_all(draft: Draft, transitions: Iterable[Transition], *, undone: bool) -> Applied:
    """Carry out transitions, all or none.

    Raises BlockedError at the first that cannot be, which takes the transaction back.
    """
    done: list[Edit] = []
    for transition in transitions:
        clash = carry_out(draft, transition)
        if clash is not None:
            raise BlockedError([clash])
        transition.edit.undone = undone
        done.append(transition.edit)
    if not done:
        raise EditRefused("nothing_to_undo", "There is nothing to undo or redo.")
    draft.restamped = done
    applied = draft.finish()
    # In the order in which they are taken back on the way to an earlier point: the last of them first.
    for group in dict.fromkeys(edit.group for edit in reversed(done)):
        Travel.objects.create(pack=draft.pack, group=group, revision=applied.revision, undone=undone)
    return applied


def unwritten(pack_row: Pack, conflicts: list[Conflict]) -> Applied:
    """The outcome of an edit that conflicts kept from being written."""
    return Applied(
        revision=pack_row.revision,
        conflicts=conflicts,
        errors=pack_row.problem_errors,
        warnings=pack_row.problem_warnings,
    )
