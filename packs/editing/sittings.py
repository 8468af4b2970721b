"""The history of a draft in sittings: what somebody did in one go, and points with a name."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Min

from packs.editing.draft import ROOM
from packs.editing.values import counted
from packs.formats.document import NodeKind
from packs.models import Checkpoint, Edit, Pack

# A longer pause ends a sitting.
PAUSE = timedelta(minutes=30)
# How many moments are looked at for one page of sittings.
MAX_MOMENTS = 2_000
VERBS = {
    Edit.Action.ADD: "added",
    Edit.Action.REMOVE: "removed",
    Edit.Action.SET: "changed",
    Edit.Action.MOVE: "moved",
    Edit.Action.CONTENT: "replaced the content of",
}
WITHOUT_NODES = {Edit.Action.FILES: "changed other files", Edit.Action.SOURCE: "imported files"}


@dataclass(slots=True)
class Sitting:
    """What one person did without a long pause; `first` and `last` are the draft's revisions after the first and after
    the last change, `changes` how many there are."""

    author: str
    start: datetime
    end: datetime
    first: int
    last: int
    changes: int = 1
    words: str = ""

    @property
    def is_short(self) -> bool:
        """Whether it took so little time that one time says when."""
        return self.end - self.start < timedelta(minutes=2)

    @property
    def before(self) -> int:
        """The revision that the sitting began with."""
        return max(1, self.first - 1)


def sittings(pack_row: Pack, *, limit: int = 30, before: int | None = None) -> list[Sitting | Checkpoint]:
    """The latest sittings of a draft with the named points between them, newest first.

    `before` is the first revision of the last sitting already seen. A named point ends the sitting that it is made in.
    """
    found: list[Sitting | Checkpoint] = []
    for sitting in folded(pack_row, before, points := named_points(pack_row, before)):
        found += [point for point in points if point.revision >= sitting.last and point not in found]
        if sum(isinstance(each, Sitting) for each in found) == limit:
            return found
        sitting.words = words_of(pack_row, sitting)
        found.append(sitting)
    return [*found, *(point for point in points if point not in found)]


def named_points(pack_row: Pack, before: int | None) -> list[Checkpoint]:
    points = pack_row.checkpoints.select_related("author")
    return list(points if before is None else points.filter(revision__lt=before))


def folded(pack_row: Pack, before: int | None, points: list[Checkpoint]) -> Iterator[Sitting]:
    groups = pack_row.edits.exclude(label=ROOM).order_by().values("group", "author__username")
    groups = groups.annotate(made=Max("revision"), start=Min("at"), latest=Max("id"))
    if before is not None:
        groups = groups.filter(made__lt=before)
    ends = {point.revision for point in points}
    open_one: Sitting | None = None
    for item in groups.order_by("-latest")[:MAX_MOMENTS]:
        author, at, made = item["author__username"] or "", item["start"], item["made"]
        if open_one is not None and open_one.author == author and open_one.start - at <= PAUSE and made not in ends:
            open_one.start, open_one.first, open_one.changes = at, made, open_one.changes + 1
            continue
        if open_one is not None:
            yield open_one
        open_one = Sitting(author, at, at, made, made)
    if open_one is not None:
        yield open_one


def words_of(pack_row: Pack, sitting: Sitting) -> str:
    """What was done in a sitting: `Added 2 cases, changed the pack; 1 change was undone.`"""
    edits = (
        pack_row.edits.filter(revision__gte=sitting.first, revision__lte=sitting.last).exclude(label=ROOM).order_by()
    )
    standing = edits.filter(undone=False).values_list("action", "kind").annotate(Count("node", distinct=True))
    totals = {(action, kind): total for action, kind, total in standing}
    parts = []
    for action, verb in VERBS.items():
        nodes = [counted(kind, totals[action, kind]) for kind in NodeKind if (action, kind) in totals]
        if nodes:
            parts.append(f"{verb} {' and '.join(filter(None, (', '.join(nodes[:-1]), nodes[-1])))}")
    parts += [words for action, words in WITHOUT_NODES.items() if (action, NodeKind.PACK) in totals]
    undone = edits.filter(undone=True).aggregate(total=Count("group", distinct=True))["total"]
    if undone:
        parts.append(f"{undone} {'change was' if undone == 1 else 'changes were'} undone")
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}"
