"""Comments on fields of a draft: they stay at their field while it moves, and say so when it is gone."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone

from packs.editing.pointers import path_in, value_at
from packs.editing.seen import document_seen
from packs.editing.values import ABSENT, EditRefused, NodeId
from packs.formats.characters import storable
from packs.formats.comparing import follow
from packs.formats.document import NodeKind
from packs.formats.findings import Path, from_pointer
from packs.mirror import MODELS
from packs.models import Comment, Pack

MAX_TEXT = 10_000
MENTION = re.compile(r"(?<![\w.@+-])@([\w.@+-]*\w)")


@dataclass(frozen=True, slots=True)
class Thread:
    """A comment with the answers to it. `row` is the node that it is about and `path` the present place of its field;
    None where they are gone."""

    comment: Comment
    row: Any
    path: Path | None

    @property
    def is_outdated(self) -> bool:
        return self.path is None


def comment_on(pack_row: Pack, node: NodeId, pointer: str, text: str, author: User) -> Comment:
    """Say something about a field, or with an empty pointer about a node.

    Raises EditRefused (no_such_node, bad_pointer, bad_comment).
    """
    kind, pk = node
    row = rows_of(pack_row, [node]).get(node)
    if row is None:
        raise EditRefused("no_such_node", f"This draft has no {kind.value.replace('_', ' ')} {pk}.")
    is_pointer = not pointer or pointer.startswith("/")
    if not is_pointer or value_at(row.document, from_pointer(pointer)) is ABSENT:
        raise EditRefused("bad_pointer", "This field is not there any more; choose another one.")
    return _say(pack_row, text, author, kind=kind.value, node=pk, pointer=pointer)


def answer(comment: Comment, text: str, author: User) -> Comment:
    """Say something in a thread, which opens it again. Raises EditRefused (bad_comment)."""
    about = {"kind": comment.kind, "node": comment.node, "pointer": comment.pointer}
    said = _say(comment.pack, text, author, thread=comment, **about)
    comment.mentions.add(*said.mentions.all())
    set_done(comment, None)
    return said


def _say(pack_row: Pack, text: str, author: User, **about: Any) -> Comment:
    text = storable(text).strip()
    if not text or len(text) > MAX_TEXT:
        raise EditRefused("bad_comment", f"Write a comment of at most {MAX_TEXT:,} characters.")
    said = Comment.objects.create(pack=pack_row, revision=pack_row.revision, text=text, author=author, **about)
    members = User.objects.filter(memberships__team=pack_row.team_id, username__in=MENTION.findall(text))
    said.mentions.set(members)
    return said


def set_done(comment: Comment, by: User | None) -> None:
    """Close a thread, or with nobody open it again."""
    comment.done_by, comment.done_at = by, timezone.now() if by is not None else None
    comment.save(update_fields=["done_by", "done_at"])


def begun(pack_row: Pack) -> QuerySet[Comment]:
    """The comments that begin a thread, oldest first."""
    found = pack_row.comments.filter(thread=None).select_related("author", "done_by")
    return found.prefetch_related("answers__author", "mentions")


def open_counts(pack_row: Pack) -> Counter[tuple[str, int]]:
    """How many threads of each node are not done."""
    return Counter(begun(pack_row).filter(done_at=None).values_list("kind", "node"))


def threads(pack_row: Pack, comments: Iterable[Comment]) -> Iterator[Thread]:
    """Threads of comments with the present places of their fields."""
    found = list(comments)
    rows = rows_of(pack_row, [(NodeKind(each.kind), each.node) for each in found])
    for each in found:
        row = rows.get((NodeKind(each.kind), each.node))
        yield Thread(each, row, place_of(pack_row, each, row) if row is not None else None)


def place_of(pack_row: Pack, comment: Comment, row: Any) -> Path | None:
    """Where the field of a comment is now."""
    seen = document_seen(pack_row, row, comment.revision)
    return follow(seen, row.document, path_in(seen, from_pointer(comment.pointer)))


def rows_of(pack_row: Pack, nodes: Iterable[NodeId]) -> dict[NodeId, Any]:
    """The rows of nodes that the draft has."""
    found: dict[NodeId, Any] = {(NodeKind.PACK, pack_row.pk): pack_row}
    wanted = set(nodes)
    for kind in {kind for kind, _ in wanted} - {NodeKind.PACK}:
        rows = MODELS[kind].objects.filter(pack=pack_row, pk__in=[pk for of_kind, pk in wanted if of_kind is kind])
        found |= {(kind, row.pk): row for row in rows}
    return found
