"""The nodes before and after the one on the desk."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from packs.formats.document import NodeKind
from packs.mirror import MODELS
from packs.views.workbench.addresses import NodeRef, node_url
from packs.views.workbench.desk import Desk


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Addresses of the siblings on both sides; empty where there is none."""

    before: str = ""
    after: str = ""


def neighbours(desk: Desk) -> Neighbours:
    """The siblings of a node in their order: of a case, those of its input set."""
    if desk.kind is NodeKind.PACK:
        return Neighbours()
    rows = MODELS[desk.kind].objects.filter(pack=desk.pack)
    if desk.kind is NodeKind.CASE:
        rows = rows.filter(input_set=desk.row.input_set_id)
    position = desk.row.position
    before = rows.filter(position__lt=position).order_by("-position", "-pk").values_list("pk", flat=True)
    after = rows.filter(position__gt=position).order_by("position", "pk").values_list("pk", flat=True)
    return Neighbours(first_url(desk, before[:1]), first_url(desk, after[:1]))


def neighbours_among(desk: Desk, siblings: Sequence[int]) -> Neighbours:
    """The same, looked up in ids of siblings that follow one another, where the node and those beside it are."""
    if desk.row.pk not in siblings:
        return neighbours(desk)
    at = siblings.index(desk.row.pk)
    return Neighbours(first_url(desk, siblings[max(0, at - 1) : at]), first_url(desk, siblings[at + 1 :]))


def first_url(desk: Desk, nodes: Iterable[int]) -> str:
    return next((node_url(desk.pack, NodeRef(desk.kind, pk)) for pk in nodes), "")
