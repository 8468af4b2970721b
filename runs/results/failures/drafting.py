"""Where a case goes that is made of a failure, what it says there, and putting it into the draft."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from sys import maxsize

from django.contrib.auth.models import User
from django.db import transaction

from packs.editing import add_node
from packs.formats.adapter import Node
from packs.formats.document import Document, NodeKind
from packs.formats.failure import Failure
from packs.formats.findings import Finding
from packs.formats.yamlio import UnwritableError, place_in
from packs.mirror import RowIndex, format_of
from packs.models import Case, InputSet, Pack

# As the id of an input set: the one that will be made for failures.
NEW = 0


@dataclass(frozen=True, slots=True)
class TargetSet:
    """An input set that can take the case: its id (NEW for one that is yet to be made), key and position."""

    pk: int
    key: str
    position: int = maxsize


@dataclass(frozen=True, slots=True)
class Drafted:
    """The case as it would stand in the draft: its document, its text, its key and what a check says of it."""

    document: Document
    text: str
    key: str
    findings: Sequence[Finding] = field(default=())


def places_of(pack: Pack) -> list[TargetSet]:
    """Where failures may stand in a draft: in the set that its format has for them, else in any."""
    adapter = format_of(pack)
    rows = InputSet.objects.filter(pack=pack).order_by("position", "pk").values_list("pk", "key", "position")
    known = [TargetSet(*row) for row in rows]
    if adapter.FAILURES_IN is None:
        return known or [TargetSet(NEW, "")]
    key, _ = adapter.identify(NodeKind.INPUT_SET, adapter.FAILURES_IN)
    return [place for place in known if place.key == key] or [TargetSet(NEW, key)]


def find_place(places: Sequence[TargetSet], pk: int | None = None, preferred: str = "") -> TargetSet | None:
    """The place with an id; without an id the one with the preferred key, else the first. None for an unknown id."""
    if pk is not None:
        return next((place for place in places if place.pk == pk), None)
    return next((place for place in places if place.key == preferred), places[0])


def draft(pack: Pack, place: TargetSet, failure: Failure) -> Drafted:
    """What the case would be; nothing is written."""
    adapter, index = format_of(pack), RowIndex(pack)
    document = adapter.case_from_failure(index, failure, place.position)
    key, challenge_key = adapter.identify(NodeKind.CASE, document)
    node = Node(NodeKind.CASE, document, key, challenge_key, place.position, maxsize)
    findings = list(adapter.check_node(index, node))
    try:
        text = adapter.dump_node(NodeKind.CASE, document)
    except UnwritableError as error:
        # What cannot be written as a file can be kept in a draft; its own check says what is wrong.
        return Drafted(document, f"# {error}", key, findings)
    return Drafted(document, text, key, place_in(text, "", findings))


def keep(pack: Pack, place: TargetSet, failure: Failure, author: User | None) -> Case:
    """Put the case into the draft, with the input set for failures where there is none yet; both are edits."""
    adapter = format_of(pack)
    label = f"Make a case of trial {failure.facts.get('trial')}"
    with transaction.atomic():
        position, set_id = place.position, place.pk
        if set_id == NEW:
            added = add_node(pack, NodeKind.INPUT_SET, author, document=adapter.FAILURES_IN, label=label)
            set_id = added.node or NEW
            position = InputSet.objects.values_list("position", flat=True).get(pk=set_id)
        document = adapter.case_from_failure(RowIndex(pack), failure, position)
        applied = add_node(pack, NodeKind.CASE, author, document=document, input_set=set_id, label=label)
    row: Case = Case.objects.select_related("pack__team", "input_set").get(pk=applied.node)
    return row
