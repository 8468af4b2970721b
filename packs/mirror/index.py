"""The index of a draft in its rows."""

from django.db.models import OuterRef, Subquery

from packs.formats.adapter import Node
from packs.formats.document import Document, NodeKind
from packs.mirror.rows import MODELS, column_text
from packs.models import Asset, Case, Challenge, InputSet, Pack


class RowIndex:
    """Answers `PackIndex` from rows by indexed queries; input sets are named by their position column."""

    def __init__(self, pack_row: Pack) -> None:
        self._row = pack_row
        self._sets: dict[int, int | None] = {}
        self._challenges: dict[str, Document] = {}

    def remember_set(self, case: Case) -> None:
        """Know the input set of a case without asking for it."""
        self._sets[case.input_set.position] = case.input_set_id

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
        cases = Case.objects.filter(input_set=self._set_id(input_set)).exclude(challenge_key="").order_by("position")
        # The challenge of a set is that of most of its cases: it comes along.
        challenges = Challenge.objects.filter(pack=self._row.pk, key=OuterRef("challenge_key")).order_by("position")
        found = cases.values_list("challenge_key", Subquery(challenges.values("document")[:1])).first()
        key, document = found or ("", None)
        if document is not None:
            self._challenges[key] = document
        return key

    def only_challenge_key(self) -> str:
        keys = list(Challenge.objects.filter(pack=self._row.pk).values_list("key", flat=True)[:2])
        return keys[0].strip() if len(keys) == 1 else ""

    def case_count(self, input_set: int) -> int:
        count: int = Case.objects.filter(input_set=self._set_id(input_set)).count()
        return count

    def is_repeated(self, node: Node) -> bool:
        if node.kind is NodeKind.PACK:
            return False
        same = MODELS[node.kind].objects.filter(key=column_text(node.key.strip()), position__lt=node.position)
        if node.kind is NodeKind.CASE:
            set_id = self._set_id(node.parent)
            return bool(same.filter(input_set=set_id, challenge_key=column_text(node.challenge_key.strip())).exists())
        return bool(same.filter(pack=self._row.pk).exists())

    def _first(self, model: type[Challenge | Asset], key: str) -> Document | None:
        rows = model.objects.filter(pack=self._row.pk, key=column_text(key.strip())).order_by("position")
        found: Document | None = rows.values_list("document", flat=True).first()
        return found

    def _set_id(self, position: int) -> int | None:
        if position not in self._sets:
            rows = InputSet.objects.filter(pack=self._row.pk, position=position)
            self._sets[position] = rows.values_list("pk", flat=True).first()
        return self._sets[position]
