"""Where the names that a node has or declares are changed in all places at once."""

from packs.editing import Thing
from packs.formats.adapter import Adapter
from packs.formats.document import Document, NodeKind
from packs.formats.identity import MAX_KEY
from packs.formats.names import homes_of, thing_of
from packs.mirror import format_of
from packs.models import NodeRow, Pack
from packs.views.workbench.addresses import NodeRef, ref_of, url_of


def rename_url(pack: Pack, thing: Thing, back: NodeRef) -> str:
    """The page that renames a thing, and leads back to a node."""
    node = str(thing.node or "")
    return url_of(pack, "edit-rename", what=thing_of(thing.what), old=thing.name, node=node, back=back.path)


def rename_node_url(pack: Pack, ref: NodeRef, key: str, back: str) -> str:
    """The page that renames a node of a list, and leads back to a path of the workbench.

    Empty for one without a key, or with one of which the list may know the beginning only.
    """
    if ref.kind not in format_of(pack).KEY_POINTERS or not 0 < len(key) < MAX_KEY:
        return ""
    return url_of(pack, "edit-rename", what=thing_of(ref.kind), old=key, node=str(ref.id), back=back)


def rename_urls(pack: Pack, row: NodeRow, document: Document) -> dict[str, str]:
    """Where each thing that a node is, or declares, gets another name, by the pointer of the field that states it."""
    adapter, back = format_of(pack), ref_of(row)
    found = {pointer: Thing(sort, name) for sort, name, pointer in _declared(adapter, row.kind, document)}
    key = adapter.KEY_POINTERS.get(row.kind)
    if key:
        found[key] = Thing(row.kind, adapter.identify(row.kind, document)[0], row.pk)
    return {pointer: rename_url(pack, thing, back) for pointer, thing in found.items() if thing.name}


def _declared(adapter: Adapter, kind: NodeKind, document: Document) -> list[tuple[str, str, str]]:
    homes = homes_of(adapter.SCHEMA.get(kind, {}))
    return [(home.name, name, pointer) for home in homes for name, pointer in home.stated(document)]
