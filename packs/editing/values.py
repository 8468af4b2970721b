"""What goes into an edit and what comes out of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from packs.formats.comparing import ABSENT as ABSENT
from packs.formats.document import NodeKind
from packs.formats.findings import Finding
from packs.formats.names import noun_of

NodeId = tuple[NodeKind, int]


@dataclass(frozen=True, slots=True)
class Change:
    """A wish: at `pointer` (JSON Pointer) in the document of row `node` there shall be `value`; ABSENT removes it.

    Lists are walked by index; `-` as last step appends. `insert` puts the value before the element at a list index
    instead of replacing it. `index` says at which place among its siblings a new key of a mapping goes (default: last).
    """

    kind: NodeKind
    node: int
    pointer: str
    value: Any = ABSENT
    insert: bool = False
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """What an author's page shows: the draft at a revision, and what led to the revisions of its `own` later saves."""

    revision: int
    own: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Conflict:
    """A change that was not made: somebody else (`author`, `revision`) has changed the same place in the meantime.

    `theirs` is what stands there now; ABSENT when it, or the whole node, was removed.
    """

    kind: NodeKind
    node: int
    pointer: str
    yours: Any
    theirs: Any
    author: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Renamed:
    """What others refer to by name: old and new names, and how many nodes of each kind follow, at how many places.

    `kind` is a kind of node, or what documents declare inside of them (`Adapter.REFERRERS`).
    """

    kind: str
    names: Sequence[tuple[str, str]]
    followers: Mapping[NodeKind, int]
    places: int

    def __str__(self) -> str:
        old, new = self.names[0]
        what = f"{old} to {new}" if len(self.names) == 1 else counted(self.kind, len(self.names))
        return f"Renamed {what}. {in_places(self.places, self.followers)} updated."


def in_places(places: int, nodes: Mapping[NodeKind, int]) -> str:
    """At how many places of which nodes something stands, in words that go on with what becomes of them."""
    *others, last = [counted(kind, count) for kind, count in nodes.items()]
    listed = f"{', '.join(others)} and {last}" if others else last
    return f"{places:,} {'place' if places == 1 else 'places'} in {listed} {'was' if places == 1 else 'were'}"


def counted(kind: str, count: int) -> str:
    """So many of a kind of node, or of what documents declare, in words; there is one pack."""
    if kind == NodeKind.PACK:
        return "the pack"
    return f"{count:,} {noun_of(kind)}{'' if count == 1 else 's'}"


@dataclass(slots=True)
class Applied:
    """What an edit did: the draft's revision after it, what the touched nodes' checks found, the draft's problems.

    `noticed` is what had to change in given values before they could be stored; later checks do not say it again.
    `renamed` tells what followed new keys. `rows` are the edited rows as they are stored now. `node` is the row that
    was added, where one was. `group` names the edits for undo; None when nothing was written. `job` is the job that
    makes the edit, where it was too much for a request.
    """

    revision: int
    group: UUID | None = None
    node: int | None = None
    findings: dict[NodeId, list[Finding]] = field(default_factory=dict)
    rows: dict[NodeId, Any] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    noticed: dict[NodeId, list[Finding]] = field(default_factory=dict)
    renamed: list[Renamed] = field(default_factory=list)
    errors: int = 0
    warnings: int = 0
    job: int | None = None

    @property
    def is_written(self) -> bool:
        return self.group is not None


class EditRefused(Exception):
    """A request that makes no sense for this draft; `code` is one of no_such_node, bad_pointer, bad_value,
    not_a_document, bad_place, no_such_state, unseen_conflicts, nothing_new, too_many_follow, too_heavy and
    nothing_to_undo. Nothing was written."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class TooHeavy(EditRefused):
    """The document of an edited node is more than the caller wanted to wait for."""

    def __init__(self) -> None:
        super().__init__("too_heavy", "The document of this node is too large to be edited in a request.")


class TooManyFollow(EditRefused):
    """More nodes would have to follow a new key than the caller wanted to wait for."""

    def __init__(self, count: int) -> None:
        super().__init__("too_many_follow", f"{count:,} nodes refer to the old key.")
