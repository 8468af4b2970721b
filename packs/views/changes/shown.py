"""Nodes and fields of a difference as the page shows them: in words, bounded, with links to the draft."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from packs.formats.comparing import Act, FieldChange, NodeChange, Run, runs
from packs.formats.comparing.trees import FILE, Position
from packs.formats.document import NodeKind
from packs.formats.findings import to_pointer
from packs.forms.encoding import json_text
from packs.mirror import MODELS, format_of, ordered
from packs.models import Case, Pack
from packs.views.workbench.addresses import PACK, NodeRef, node_url, url_of

# How much of one field and of one node is shown before somebody asks for all of it.
FIRST_FIELDS = 12
MAX_FIELDS = 400
# Texts of more characters are shown by their changes with this much around each.
AROUND = 160
MAX_RUN = 4_000
MAX_DOCUMENT = 6_000
HEADINGS = {
    NodeKind.PACK: "Settings of the pack",
    NodeKind.CHALLENGE: "Challenges",
    NodeKind.INPUT_SET: "Input sets",
    NodeKind.ASSET: "Assets",
    FILE: "Other files",
}
# Acts by the names that chips have for them.
CHIPS = {Act.CHANGED: "edited"}
# What came and went is shown without fields.
WHOLE = {Act.ADDED, Act.REMOVED}


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field that is different; `at` is its place among those of the node, by which it is restored."""

    at: int
    act: Act
    label: str
    runs: list[Run]
    url: str = ""
    talk_url: str = ""
    can_return: bool = False

    @property
    def chip(self) -> str:
        return CHIPS.get(self.act, self.act.value)


@dataclass(frozen=True, slots=True)
class ShownNode:
    """A node that is different; `at` is its place in the difference."""

    at: int
    change: NodeChange
    heading: str
    url: str = ""
    fields: list[ShownField] = field(default_factory=list)
    more: bool = False
    text: str = ""

    @property
    def chips(self) -> list[str]:
        return [CHIPS.get(act, act.value) for act in self.change.acts]

    @property
    def title(self) -> str:
        return self.change.key or "without a key"

    @property
    def former(self) -> str:
        """What it was called before, where it has another name."""
        return self.change.old_key if Act.RENAMED in self.change.acts else ""

    @property
    def way(self) -> str:
        """From where to where a node has moved, in words."""
        before, after = self.change.before, self.change.after
        if not self.change.is_moved or before is None or after is None:
            return ""
        from_set = " of another input set" if self.change.kind == NodeKind.CASE and self.change.has_other_set else ""
        return f"From place {before.index + 1}{from_set} to place {after.index + 1}."

    @property
    def is_open(self) -> bool:
        """Whether the whole of a node that came or went is short enough to be read without opening it."""
        return len(self.text) < 600


def text_of(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json_text(value)


def runs_of(change: FieldChange) -> list[Run]:
    """A field's values in one text."""
    if change.act is Act.MOVED:
        return [Run(f"From place {change.old + 1} to {change.new + 1}")]
    if change.act in WHOLE:
        return shortened([Run(text_of(change.new if change.act is Act.ADDED else change.old) or "(empty)", change.act)])
    if isinstance(change.old, str) and isinstance(change.new, str):
        return shortened(runs(change.old, change.new))
    old, new = (json_text(value) for value in (change.old, change.new))
    return shortened([Run(old, Act.REMOVED), Run(new, Act.ADDED)])


def shortened(found: Sequence[Run]) -> list[Run]:
    """Runs of which the long ones that both texts have are cut between changes, and very long ones at their end."""
    return [_short(run, is_first=not at, is_last=at == len(found) - 1) for at, run in enumerate(found)]


def _short(run: Run, *, is_first: bool, is_last: bool) -> Run:
    text = run.text
    if run.act is not None:
        return (
            run
            if len(text) <= MAX_RUN
            else Run(f"{text[:MAX_RUN]} … ({len(text) - MAX_RUN:,} characters more)", run.act)
        )
    if len(text) <= 2 * AROUND:
        return run
    head, tail = "" if is_first else text[:AROUND], "" if is_last else text[-AROUND:]
    return Run(f"{head} … {tail}")


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most:,} characters more)"


class Rows:
    """The rows of the draft by their places in its tree, read once for each list."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._lists: dict[tuple[str, int], list[int]] = {}

    @cached_property
    def sets(self) -> list[int]:
        return list(ordered(self.pack.input_sets).values_list("pk", flat=True))

    def ref(self, kind: str, place: Position | None) -> NodeRef | None:
        """The node at a place."""
        if kind == NodeKind.PACK:
            return PACK
        if place is None or kind == FILE:
            return None
        found = self.pks(NodeKind(kind), place.parent)
        return NodeRef(NodeKind(kind), found[place.index]) if place.index < len(found) else None

    def pks(self, kind: NodeKind, parent: int) -> list[int]:
        if (kind, parent) not in self._lists:
            rows: Any = MODELS[kind].objects.filter(pack=self.pack)
            if kind is NodeKind.CASE:
                rows = Case.objects.filter(input_set=self.sets[parent]) if parent < len(self.sets) else rows.none()
            self._lists[kind, parent] = list(ordered(rows).values_list("pk", flat=True))
        return self._lists[kind, parent]


def shown_nodes(
    pack: Pack, chosen: Iterable[tuple[int, NodeChange]], *, links: bool, limit: int = FIRST_FIELDS
) -> Iterator[ShownNode]:
    """Nodes of a difference by their places in it; `links` where its newer end is the draft."""
    rows = Rows(pack)
    for at, change in chosen:
        ref = rows.ref(change.kind, change.after) if links else None
        is_whole = change.old is None or change.new is None
        fields = [] if is_whole else list(islice(change.fields, limit + 1))
        yield ShownNode(
            at,
            change,
            f"Cases of {change.set_key}" if change.kind == NodeKind.CASE else HEADINGS[change.kind],
            node_url(pack, ref) if ref else "",
            [shown_field(pack, place, each, ref) for place, each in enumerate(fields[:limit])],
            len(fields) > limit,
            whole_text(pack, change) if is_whole else "",
        )


def shown_field(pack: Pack, at: int, change: FieldChange, ref: NodeRef | None) -> ShownField:
    can_return = not (change.act is Act.MOVED and isinstance(change.path[-1], str))
    pointer, is_there = to_pointer(change.path), ref is not None and change.act is not Act.REMOVED
    url = node_url(pack, ref, pointer) if ref and is_there else ""
    talk_url = url_of(pack, "edit-comments", ref, at=pointer) if is_there else ""
    return ShownField(at, change.act, change.label or "value", runs_of(change), url, talk_url, can_return)


def whole_text(pack: Pack, change: NodeChange) -> str:
    """What a node says that came or went."""
    node = change.new if change.new is not None else change.old
    if change.kind == FILE:
        return f"{len(node.content):,} bytes"
    text = format_of(pack).dump_node(NodeKind(change.kind), node.document)
    return (
        text if len(text) <= MAX_DOCUMENT else f"{text[:MAX_DOCUMENT]}… ({len(text) - MAX_DOCUMENT:,} characters more)"
    )
