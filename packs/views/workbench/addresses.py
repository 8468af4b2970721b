"""Addresses inside the workbench: nodes by row, fields by pointer."""

from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.urls.converters import StringConverter

from packs.formats.document import Address, NodeKind
from packs.formats.findings import Finding, to_pointer
from packs.forms.sections import section_for, sections_of
from packs.mirror import MODELS, format_of
from packs.models import Case, NodeRow, Pack

ROOMS = {
    NodeKind.CHALLENGE: "challenges",
    NodeKind.INPUT_SET: "sets",
    NodeKind.CASE: "cases",
    NodeKind.ASSET: "assets",
}
KINDS = {room: kind for kind, room in ROOMS.items()}


class NodeRef(NamedTuple):
    """A node of a draft as addresses name it; the pack's own node has the id 0."""

    kind: NodeKind
    id: int = 0

    @property
    def path(self) -> str:
        return "pack" if self.kind is NodeKind.PACK else f"{ROOMS[self.kind]}/{self.id}"


PACK = NodeRef(NodeKind.PACK)


class NodeConverter(StringConverter):
    """Path converter for `pack`, `cases/12` and so on."""

    regex = r"pack|(?:challenges|sets|cases|assets)/[0-9]{1,18}"

    def to_python(self, value: str) -> NodeRef:  # type: ignore[override]
        room, _, number = value.partition("/")
        return NodeRef(KINDS[room], int(number)) if number else PACK

    def to_url(self, value: NodeRef) -> str:  # type: ignore[override]
        return value.path


def ref_of(row: NodeRow) -> NodeRef:
    return PACK if isinstance(row, Pack) else NodeRef(row.kind, row.pk)


def url_of(pack_row: Pack, name: str, ref: NodeRef | None = None, **query: str) -> str:
    """The address of a page or act of the workbench; `ref` where it is about a node."""
    arguments: list[Any] = [pack_row.team.slug, pack_row.slug, *([] if ref is None else [ref])]
    path = reverse(f"packs:{name}", args=arguments)
    kept = {key: value for key, value in query.items() if value}
    return f"{path}?{urlencode(kept, safe='/~', errors='surrogatepass')}" if kept else path


def node_url(pack_row: Pack, ref: NodeRef, pointer: str = "", **query: str) -> str:
    """The page that edits a node, at the field of a pointer; the pack's own document opens at its first section."""
    if ref.kind is NodeKind.PACK and pointer:
        sections = sections_of(format_of(pack_row).SCHEMA[NodeKind.PACK])
        query.setdefault("section", section_for(sections, pointer).key)
    return url_of(pack_row, "edit-node", ref, at=pointer, **query)


def checks_url(pack_row: Pack, case: Case) -> str:
    """Where it stands how a case is checked: in the case, or in the settings of its pack."""
    places = format_of(pack_row).CHECKS_AT
    if NodeKind.CASE in places:
        return workbench_url(pack_row, case, places[NodeKind.CASE][0])
    return node_url(pack_row, PACK, places[NodeKind.PACK][0])


def workbench_url(pack_row: Pack, about: Finding | Address | NodeRow, pointer: str = "") -> str:
    """Where to fix something: the workbench with the field opened and focused.

    `about` is a finding about the whole pack (its path starts at the pack's root), a place in the tree, or a row;
    `pointer` leads on from the node's document. What is gone leads to the workbench's first page.
    """
    if isinstance(about, Finding):
        address, path = format_of(pack_row).locate(about)
        return workbench_url(pack_row, address, to_pointer(path))
    if isinstance(about, Address):
        ref = find_node(pack_row, about)
        return node_url(pack_row, ref, pointer) if ref else url_of(pack_row, "edit")
    return node_url(pack_row, ref_of(about), pointer)


def find_node(pack_row: Pack, address: Address) -> NodeRef | None:
    """The row that stands at a place in the tree."""
    if address.kind is NodeKind.PACK:
        return PACK
    index = address.indices[-1] if address.indices else 0
    rows: Any = MODELS[address.kind].objects.filter(pack=pack_row)
    if address.kind is NodeKind.CASE:
        found_set = find_node(pack_row, Address(NodeKind.INPUT_SET, address.indices[:1]))
        if found_set is None:
            return None
        rows = Case.objects.filter(input_set=found_set.id)
    found = rows.order_by("position", "pk").values_list("pk", flat=True)[index : index + 1]
    return next((NodeRef(address.kind, pk) for pk in found), None)
