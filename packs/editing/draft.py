"""A draft under change: one transaction that collects edits, keeps rows in step and checks what was touched."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from packs.editing.differences import Difference
from packs.editing.pointers import replaced, value_at
from packs.editing.presence import stir
from packs.editing.rechecking import Effects, batched, recheck_effects
from packs.editing.values import ABSENT, Applied, EditRefused, NodeId, Renamed
from packs.formats.adapter import Adapter
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, Path, to_pointer
from packs.mirror import BATCH, MODELS, columns_of, format_of
from packs.models import Edit, NodeRow, Pack, PackStatus, Proposal

Author = User | None

# What `finish` may have changed on the caller's own copy of the row.
PACK_COLUMNS = [
    "document",
    "title",
    "revision",
    "findings",
    "error_count",
    "warning_count",
    "problem_errors",
    "problem_warnings",
    "checked_revision",
    "source_id",
    "source_name",
    "source_is_archive",
]


# The columns of a node's row that edits change.
ROW_COLUMNS = ["document", "position", "revision", "updated_at", "key", "challenge_key", "path", "input_set", "blob"]
# The label of moves that make room between siblings; the history leaves them out.
ROOM = "Make room"
# Fewer rows than this are saved one by one.
FEW = 20


@dataclass
class Draft:
    """The locked pack row and what happens to it. Rows that are touched are saved by `finish`.

    `former` holds the keys that changed nodes had before; `written` are changed rows that are saved already; `noticed`
    is what had to change in given values before they could be stored; `room` are moves that nobody asked for. Where
    many cases come or go (`is_bulk`), `finish` also saves those that come and deletes the `removed` ones, all at once.
    """

    pack: Pack
    author: Author
    label: str = ""
    edits: list[Edit] = field(default_factory=list)
    effects: Effects = field(default_factory=Effects)
    restamped: list[Edit] = field(default_factory=list)
    rows: dict[NodeId, Any] = field(default_factory=dict)
    changed: dict[NodeId, Any] = field(default_factory=dict)
    former: dict[NodeId, str] = field(default_factory=dict)
    renamed: list[Renamed] = field(default_factory=list)
    noticed: dict[NodeId, list[Finding]] = field(default_factory=dict)
    written: set[NodeId] = field(default_factory=set)
    room: list[Edit] = field(default_factory=list)
    is_bulk: bool = False
    removed: list[int] = field(default_factory=list)

    @property
    def adapter(self) -> Adapter:
        return format_of(self.pack)

    def find(self, kind: NodeKind, node: int) -> Any | None:
        """The row of a node of this draft, or None."""
        if kind is NodeKind.PACK:
            return self.pack if node == self.pack.pk else None
        if (kind, node) not in self.rows:
            rows = MODELS[kind].objects.filter(pack=self.pack)
            if kind is NodeKind.CASE:
                rows = rows.select_related("input_set")
            self.rows[kind, node] = rows.filter(pk=node).first()
        return self.rows[kind, node]

    def prepare(self, nodes: Iterable[NodeId]) -> None:
        """Read the rows of many nodes with few queries, before each is asked for."""
        wanted: dict[NodeKind, set[int]] = defaultdict(set)
        for kind, node in nodes:
            wanted[kind].add(node)
        for kind, pks in wanted.items():
            if kind is not NodeKind.PACK and len(pks) > 1:
                rows = MODELS[kind].objects.filter(pack=self.pack)
                rows = rows.select_related("input_set") if kind is NodeKind.CASE else rows
                self.rows.update({(kind, pk): None for pk in pks})
                for some in batched(pks):
                    self.rows.update({(kind, row.pk): row for row in rows.filter(pk__in=some)})

    def get(self, kind: NodeKind, node: int) -> Any:
        """The row of a node of this draft.

        Raises EditRefused (no_such_node) when there is none.
        """
        row = self.find(kind, node)
        if row is None:
            raise EditRefused("no_such_node", f"This draft has no {kind.value.replace('_', ' ')} {node}.")
        return row

    def set_document(self, row: Any, document: Document) -> None:
        """Give a row a new document.

        Raises EditRefused (not_a_document) when it is not a mapping.
        """
        if not isinstance(document, dict):
            raise EditRefused("not_a_document", "A document must be a mapping.")
        before = row.document
        columns = columns_of(self.adapter, row.kind, document)
        if row.kind is NodeKind.PACK:
            self.effects.pack_changed(self.adapter, before, document)
        else:
            self.effects.node_changed(self.pack, row, columns)
        row.document = document
        for name, value in columns.items():
            setattr(row, name, value)
        self.changed[row.kind, row.pk] = row

    def remember_key(self, row: Any) -> None:
        """Note the key that a row has before its first change, where others may refer to it."""
        if row.kind in self.adapter.REFERRERS and (row.kind, row.pk) not in self.former:
            self.former[row.kind, row.pk], _ = self.adapter.identify(row.kind, row.document)

    def notice(self, row: Any, findings: Iterable[Finding], path: Path = ()) -> None:
        """Keep what had to change in a value that was given for a place of a row's document."""
        found = [finding.below(path) for finding in findings]
        if found:
            self.noticed.setdefault((row.kind, row.pk), []).extend(found)

    def record(self, row: Any, action: Edit.Action, **values: Any) -> Edit:
        """Note an edit of a row in the history."""
        group = self.edits[0].group if self.edits else uuid.uuid4()
        edit = Edit(
            pack=self.pack,
            group=group,
            label=self.label[:200],
            action=action,
            kind=row.kind.value,
            node=row.pk,
            author=self.author,
            **values,
        )
        self.edits.append(edit)
        return edit

    def note_room(self, row: Any, position: int) -> None:
        """Note that a row gets another place in a list that keeps its order: nobody's edit, no undo takes it back."""
        group = self.room[0].group if self.room else uuid.uuid4()
        parent = getattr(row, "input_set_id", None)
        before, after = ([{"position": place, "parent": parent}] for place in (row.position, position))
        named = {"pack": self.pack, "group": group, "label": ROOM, "kind": row.kind.value, "node": row.pk}
        self.room.append(Edit(**named, action=Edit.Action.MOVE, old=before, new=after))

    def record_value(self, row: Any, steps: Sequence[str], old: Any, new: Any, after: Document) -> None:
        """Note that the value at `steps` of a row's document became another; `after` is the document with it."""
        # The place of a key that comes or goes, so that undo restores the order of keys.
        holds_key = row.document if new is ABSENT else after
        keys = value_at(holds_key, steps[:-1]) if steps and ABSENT in (old, new) else None
        self.record(
            row,
            Edit.Action.SET,
            pointer=to_pointer(tuple(steps)),
            old=[] if old is ABSENT else [old],
            new=[] if new is ABSENT else [new],
            place={"index": list(keys).index(steps[-1])} if isinstance(keys, dict) else {},
        )

    def rewrite(self, row: Any, steps: Iterable[Difference]) -> None:
        """Take a row's document along a list of differences, each of them an edit."""
        for step in steps:
            old = ABSENT if step.insert else value_at(row.document, step.steps)
            document = replaced(row.document, step.steps, step.value, insert=step.insert, index=step.index)
            self.record_value(row, step.steps, old, step.value, document)
            self.set_document(row, document)

    def finish(self) -> Applied:
        """Save, number the revision, check what was touched; nothing at all happens where nothing was edited."""
        if not self.edits and not self.restamped:
            return self.report({})
        revision = self.pack.revision + 1
        self.save_rows()
        for edit in (*self.room, *self.edits):
            edit.revision = edit.touched = revision
        Edit.objects.bulk_create([*self.room, *self.edits], 2000)
        self.save_restamped(revision)
        self.pack.revision = revision
        found = recheck_effects(self.pack, self.effects, self.changed)
        stir(self.pack.pk)
        return self.report(found)

    def save_restamped(self, revision: int) -> None:
        """Save which edits were undone or made again, and when."""
        for undone in (True, False):
            pks = [edit.pk for edit in self.restamped if edit.undone is undone]
            for some in batched(pks):
                Edit.objects.filter(pk__in=some).update(touched=revision, undone=undone)

    def save_rows(self) -> None:
        """Save the changed rows; many of a kind at once."""
        for some in batched(self.removed):
            MODELS[NodeKind.CASE].objects.filter(pk__in=some).delete()
        by_kind: dict[NodeKind, list[Any]] = defaultdict(list)
        for node, row in self.changed.items():
            if row.kind is not NodeKind.PACK and node not in self.written:
                row.revision += 1
                row.updated_at = timezone.now()
                by_kind[row.kind].append(row)
        for kind, rows in by_kind.items():
            if len(rows) < FEW:
                for row in rows:
                    row.save()
            else:
                names = [name for name in ROW_COLUMNS if hasattr(rows[0], name)]
                # Written over what is there: many times quicker than one long UPDATE with a CASE for each row.
                MODELS[kind].objects.bulk_create(
                    rows, BATCH, update_conflicts=True, unique_fields=["id"], update_fields=names
                )

    def report(self, found: dict[NodeId, Any]) -> Applied:
        """The outcome as the caller sees it."""
        written = [*self.edits, *self.restamped]
        return Applied(
            revision=self.pack.revision,
            group=written[0].group if written else None,
            findings=found,
            rows=self.changed,
            renamed=self.renamed,
            noticed=self.noticed,
            errors=self.pack.problem_errors,
            warnings=self.pack.problem_warnings,
        )


@contextmanager
def changing(pack_row: Pack, author: Author, label: str = "", known: NodeRow | None = None) -> Iterator[Draft]:
    """Open a draft for change in one transaction; writers of one pack wait for each other.

    The caller's own copy of the row is brought up to date at the end. `known` is a node that was read after it; where
    nobody wrote since, it is not read again.
    """
    with transaction.atomic():
        locked = Pack.objects.select_for_update().get(pk=pack_row.pk)
        if locked.status == PackStatus.ARCHIVED and Proposal.objects.filter(draft=locked).exists():
            raise EditRefused("proposal_has_ended", "This proposal has ended; it cannot be edited any more.")
        draft = Draft(locked, author, label)
        is_current = (locked.revision, locked.checked_revision) == (pack_row.revision, pack_row.checked_revision)
        if known is not None and is_current:
            # Where the change fails, the caller's row stays what it was.
            draft.rows[known.kind, known.pk] = copy(known)
        yield draft
    for name in PACK_COLUMNS:
        setattr(pack_row, name, getattr(locked, name))
