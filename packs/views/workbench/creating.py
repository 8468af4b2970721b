"""Creating, from the field that refers to it, what nothing declares yet: an input, a validator, a challenge, a file."""

from collections.abc import Iterator
from typing import Any

from packs.editing import Change, EditRefused, add_node
from packs.editing.nodes import new_document
from packs.editing.pointers import replaced
from packs.formats.document import Document, NodeKind
from packs.formats.findings import from_pointer
from packs.formats.names import NODE_SORTS, Home
from packs.formats.structure.model import leaf_at
from packs.forms.arranging import Arranged
from packs.forms.choices import homes_for
from packs.forms.fields import Missing
from packs.forms.pointers import read, rooted_at, write
from packs.models import Case
from packs.views.workbench.desk import CREATED, Desk

# So many cases at most get what the pack's settings refer to.
MAX_CASES = 500


def create(desk: Desk, document: Any, pointer: str, name: str) -> tuple[Arranged, list[Change], str]:
    """Create what the field at a pointer names, or something of this `name`, which the field then names.

    Gives the node's document, the changes of other nodes, and what the edit is called. Nodes of their own are added at
    once. Raises EditRefused (bad_pointer) where nothing of the kind can be created.
    """
    missing = wanted(desk, document, pointer, name)
    if name:
        document = write(document, pointer, name)
    arranged, label = Arranged(document, pointer), f"Create {missing.noun} {missing.name}"
    if desk.naming and missing.sort in desk.naming.namer.FILES:
        add(desk, NodeKind.ASSET, desk.naming.path_of(missing.sort, missing.name), label)
        return arranged, [], label
    kind = NODE_SORTS.get(missing.sort)
    if kind in CREATED:
        add(desk, kind, missing.name, label)
        return arranged, [], label
    kind, home = homes_for(desk.adapter.SCHEMA, desk.kind)[missing.sort]
    if kind is desk.kind:
        return Arranged(write(document, home.pointer, extended(home, document, missing.name)), pointer), [], label
    return arranged, list(elsewhere(desk, kind, home, missing.name)), label


def wanted(desk: Desk, document: Any, pointer: str, name: str) -> Missing:
    """What is to be created. Raises EditRefused (bad_pointer)."""
    part, stated = leaf_at(desk.schema, document, pointer), read(document, pointer)
    if name:
        sort = desk.declared.creatable(part)
        found = sort and Missing(sort.sort, sort.noun, name)
    else:
        found = desk.declared.missing(part, stated) if isinstance(stated, str) else None
    if found is None:
        raise EditRefused("bad_pointer", "Nothing can be created here.")
    return found


def add(desk: Desk, kind: NodeKind, name: str, label: str) -> None:
    """Add a node of this key. Raises EditRefused."""
    started = new_document(desk.pack, kind)
    document = replaced(started, from_pointer(desk.adapter.KEY_POINTERS[kind]), name)
    add_node(desk.pack, kind, desk.user, document=document, label=label)


def extended(home: Home, document: Document, name: str) -> list[Any]:
    """The list of a document that declares things, with one more, unless it has one of this name."""
    present = read(document, home.pointer)
    stated = present if isinstance(present, list) else []
    return stated if name in home.names(document) else [*stated, home.new(name)]


def elsewhere(desk: Desk, kind: NodeKind, home: Home, name: str) -> Iterator[Change]:
    """The changes that declare something in the pack's document, or in its cases."""
    rows = [desk.pack] if kind is NodeKind.PACK else Case.objects.filter(pack=desk.pack).order_by("pk")[:MAX_CASES]
    for row in rows:
        place, value = rooted_at(row.document, home.pointer, extended(home, row.document, name))
        if value != read(row.document, place):
            yield Change(kind, row.pk, place, value)
