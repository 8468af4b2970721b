"""The index of a draft in its rows."""

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from packs.formats.adapter import Node
from packs.formats.document import Document, NodeKind
from packs.mirror.rows import MODELS, column_text, node_of
from packs.models import Asset, Case, Challenge, InputSet, NodeRow, Pack


class RowIndex:
    """Answers `PackIndex` from rows by indexed queries; input sets are named by their position column."""

    def __init__(self, pack_row: Pack) -> None:
        self._row = pack_row
        self._sets: dict[int, int | None] = {}
        self._leading: dict[int, str] = {}
        self._challenges: dict[str, Document] = {}
        self._case: Node | None = None
        self._is_case_repeated: bool | None = None

    def node(self, row: NodeRow) -> Node:
        """A row that is checked next: a case brings its set along, whose query tells whether the case is repeated."""
        node = node_of(row)
        if isinstance(row, Case):
            self._sets[row.input_set.position] = row.input_set_id
            self._case, self._is_case_repeated = node, None
        return node

    @property
    def pack(self) -> Document:
        found: Document = self._row.document
        return found

    def challenge(self, key: str) -> Document | None:
        return self._challenges.get(column_text(key.strip())) or self._first(Challenge, key)

    def asset(self, key: str) -> Document | None:
        return self._first(Asset, key)

    def has_assets_at(self, path: str) -> bool:
        rows, key = Asset.objects.filter(pack=self._row.pk), column_text(path)
        # Databases differ in whether `startswith` minds upper and lower case.
        below = rows.filter(key__startswith=f"{key}/").values_list("key", flat=True)
        return bool(rows.filter(key=key).exists()) or any(name.startswith(f"{key}/") for name in below.iterator())

    def input_set(self, position: int) -> Document | None:
        rows = InputSet.objects.filter(pack=self._row.pk, position=position)
        found: Document | None = rows.values_list("document", flat=True).first()
        return found

    def set_challenge_key(self, input_set: int) -> str:
        if input_set not in self._leading:
            self._leading[input_set] = self._read_leading(input_set)
        return self._leading[input_set]

    def _read_leading(self, position: int) -> str:
        cases = Case.objects.filter(input_set=self._set_id(position)).exclude(challenge_key="").order_by("position")
        # The challenge of a set is that of most of its cases: it comes along.
        challenges = Challenge.objects.filter(pack=self._row.pk, key=OuterRef("challenge_key")).order_by("position")
        wanted = [Subquery(challenges.values("document")[:1])]
        asked = self._case
        if asked is not None and asked.parent == position:
            wanted.append(Exists(self._same_before(asked)))
        found = cases.values_list("challenge_key", *wanted).first()
        key, document, *repeated = found or ("", None)
        if document is not None:
            self._challenges[key] = document
        for each in repeated:
            self._is_case_repeated = bool(each)
        return key

    def only_challenge_key(self) -> str:
        keys = list(Challenge.objects.filter(pack=self._row.pk).values_list("key", flat=True)[:2])
        return keys[0].strip() if len(keys) == 1 else ""

    def case_count(self, input_set: int) -> int:
        count: int = Case.objects.filter(input_set=self._set_id(input_set)).count()
        return count

    def is_repeated(self, node: Node) -> bool:
        if node is self._case and self._is_case_repeated is not None:
            return self._is_case_repeated
        return node.kind is not NodeKind.PACK and bool(self._same_before(node).exists())

    def _same_before(self, node: Node) -> QuerySet[Any]:
        """The siblings before a node that have the same key, of cases the same challenge key too."""
        same = {"key": column_text(node.key.strip()), "position__lt": node.position}
        if node.kind is NodeKind.CASE:
            same |= {"input_set": self._set_id(node.parent), "challenge_key": column_text(node.challenge_key.strip())}
        else:
            same |= {"pack": self._row.pk}
        found: QuerySet[Any] = MODELS[node.kind].objects.filter(**same)
        return found

    def _first(self, model: type[Challenge | Asset], key: str) -> Document | None:
        rows = model.objects.filter(pack=self._row.pk, key=column_text(key.strip())).order_by("position")
        found: Document | None = rows.values_list("document", flat=True).first()
        return found

    def _set_id(self, position: int) -> int | None:
        if position not in self._sets:
            rows = InputSet.objects.filter(pack=self._row.pk, position=position)
            self._sets[position] = rows.values_list("pk", flat=True).first()
        return self._sets[position]
