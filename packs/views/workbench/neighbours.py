"""The nodes before and after the one on the desk."""

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
    before = rows.filter(position__lt=position).order_by("-position", "-pk").values_list("pk", flat=True).first()
    after = rows.filter(position__gt=position).order_by("position", "pk").values_list("pk", flat=True).first()
    return Neighbours(*(node_url(desk.pack, NodeRef(desk.kind, pk)) if pk else "" for pk in (before, after)))
