"""A table taken into a set: which of its records become cases, which change one, and what a check would say then."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from packs.editing.pointers import replaced, require_json
from packs.editing.values import ABSENT, Change, EditRefused
from packs.formats import document
from packs.formats.beginning import AnswerRefused
from packs.formats.checking import as_it_is
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, from_pointer, to_pointer
from packs.formats.structure.model import Schema, matches, schema_at
from packs.formats.tables import BAD_ROW, BAD_TABLE, BROKEN_NODE, Table, Trouble
from packs.grid.alike import Alike, alike_of, further_keys
from packs.grid.cells import shown
from packs.grid.changing import Refusal, change_at, schema_of, typed
from packs.grid.columns import place, value_in
from packs.grid.foresight import errors_ahead
from packs.grid.targets import ANSWER, targets_of
from packs.mirror import column_text
from packs.models import Case, InputSet, Pack

LISTED = 20


@dataclass(slots=True)
class Merged:
    """What a table would do to a set: cases that come, changes of those that are there, records that cannot.

    `lines` are those of the cases that come; `rewritten` has line and document of each case that changes, by its id;
    `note` is what people should know about how the table was read.
    `broken` are the lines that would bring an error, `elsewhere` names and errors of other nodes; both are known once
    `look_ahead` has checked them all.
    """

    added: list[Document] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    rewritten: dict[int, tuple[int, Document]] = field(default_factory=dict)
    unchanged: int = 0
    skipped: int = 0
    troubles: list[Trouble] = field(default_factory=list)
    broken: list[Trouble] = field(default_factory=list)
    elsewhere: list[tuple[str, str]] = field(default_factory=list)
    note: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.added or self.changes)

    def refused(self, *, takes_errors: bool) -> list[Finding]:
        """Why nothing of the table is taken: a table comes whole or not at all. A draft may have errors, if its author
        says so; a line that cannot be read is never left out."""
        found = [*self.troubles, *([] if takes_errors else self.broken)]
        lines = [
            replace((BAD_ROW if each.line else BAD_TABLE).at((), reason=each.reason), line=each.line) for each in found
        ]
        others = [] if takes_errors else self.elsewhere
        return [*lines, *(BROKEN_NODE.at((), name=name, reason=reason) for name, reason in others)]

    def report(self) -> dict[str, Any]:
        """What is shown before the table is taken: counts, and the first lines of each sort. Holds JSON values only."""
        return {
            "added": len(self.added),
            "changed": len(self.rewritten),
            "unchanged": self.unchanged + self.skipped,
            "refused": len(self.troubles),
            "broken": len(self.broken),
            "elsewhere": len(self.elsewhere),
            "troubles": [asdict(trouble) for trouble in self.troubles[:LISTED]],
            "broken_lines": [asdict(trouble) for trouble in self.broken[:LISTED]],
            "others": [{"name": name, "reason": reason} for name, reason in self.elsewhere[:LISTED]],
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Merge:
    """How a table goes into a set: `mapping` leads from names to pointers, `key` is where cases state their key.

    Records whose key a case of the set has change that case, or with `adds_only` are left out. All others become cases
    like the last of the set (`packs.grid.alike`), under free keys where the table has none.
    """

    pack: Pack
    input_set: InputSet
    mapping: Mapping[str, str]
    key: str
    adds_only: bool = False

    def of(self, table: Table, tick: Callable[[int], None] = lambda _: None) -> Merged:
        """What the table would do. `tick` gets now and then how many records were looked at."""
        pointers = [self.mapping.get(name, "") for name in table.names]
        present = self._present(table, pointers)
        found, reader = Merged(troubles=list(table.troubles), note=table.note), reader_of(table)
        alike = alike_of(self.input_set)
        keys = None if self.key in pointers else self._free_keys(alike)
        for number, (line, record) in enumerate(table.records):
            if number % 1000 == 0:
                tick(number)
            cells = zip(pointers, record, strict=True)
            given = Record(line, [cell for cell in cells if cell[0] and cell[1] is not ABSENT], reader)
            try:
                key = given.key(self.key)
                case = present.get(column_text(key)) if key else None
                if case is None:
                    found.added.append(self._further(alike, keys, given))
                    found.lines.append(line)
                elif self.adds_only:
                    found.skipped += 1
                else:
                    self._change(found, alike, case, given)
            except (AnswerRefused, Refusal, EditRefused) as refused:
                found.troubles.append(Trouble(line, str(refused)))
        return found

    def _present(self, table: Table, pointers: list[str]) -> dict[str, Case]:
        """The cases of the set that the table names by their keys."""
        if not self.key or self.key not in pointers:
            return {}
        at = pointers.index(self.key)
        keys = list(dict.fromkeys(column_text(shown(record[at]).strip()) for _, record in table.records))
        found: dict[str, Case] = {}
        for start in range(0, len(keys), 500):
            rows = Case.objects.filter(input_set=self.input_set, key__in=keys[start : start + 500])
            for row in rows.order_by("-position"):
                found[row.key] = row
        found.pop("", None)
        return found

    def _free_keys(self, alike: Alike) -> Iterator[str]:
        """Keys that no case of the pack has; these are read once the first is needed."""
        taken = set(Case.objects.filter(pack=self.pack).values_list("key", flat=True))
        yield from (key for key in further_keys(alike.key) if column_text(key) not in taken)

    def _further(self, alike: Alike, keys: Iterator[str] | None, record: "Record") -> Document:
        """The document of a case that comes."""
        document = filled(self.pack, alike.start(dict(record.cells)), record.without(ANSWER))
        return document if keys is None else replaced(document, from_pointer(self.key), next(keys))

    def _change(self, found: Merged, alike: Alike, case: Case, record: "Record") -> None:
        _, before = found.rewritten.get(case.pk, (0, case.document))
        document = filled(self.pack, before, record.without(self.key, ANSWER))
        answer = next((cell for pointer, cell in record.cells if pointer == ANSWER), ABSENT)
        if shown(answer).strip():
            asked = shown(value_in(document, targets_of(self.pack.format).question))
            document = {**document, **alike.beside(case, document).answered(asked, answer)}
        changes = list(_leading(case.pk, before, document))
        found.changes += changes
        found.unchanged += not changes
        if changes:
            found.rewritten[case.pk] = record.line, document


@dataclass(frozen=True, slots=True)
class Record:
    """The cells of one line by the pointers that they stand for; `reader` says what one means in a document."""

    line: int
    cells: list[tuple[str, Any]]
    reader: Callable[[Schema, Document, str, Any], Any]

    def without(self, *pointers: str) -> "Record":
        return replace(self, cells=[cell for cell in self.cells if cell[0] not in pointers])

    def key(self, pointer: str) -> str:
        """The key that it states there, empty for none."""
        return next((shown(cell).strip() for at, cell in self.cells if at == pointer), "")


def filled(pack_row: Pack, document: Document, record: Record) -> Document:
    """A document with the cells of a record. Governing fields come first: the others' schemas follow them.

    Raises Refusal, and EditRefused for values that no file of a pack can hold.
    """
    schema = schema_of(pack_row, document)
    for pointer, cell in sorted(record.cells, key=lambda cell: cell[0].count("/")):
        change = change_at(schema, document, pointer, record.reader(schema, document, pointer, cell))
        if change is not None:
            document = replaced(document, from_pointer(change[0]), change[1])
            # Only fields of the case itself are taken over from the pack where they are absent.
            schema = schema if pointer.count("/") > 1 else schema_of(pack_row, document)
    require_json(document)
    return document


def reader_of(table: Table) -> Callable[[Schema, Document, str, Any], Any]:
    """What says what a cell of the table means: a text, or a JSON value."""
    return meant if table.pointers else typed


def meant(schema: Schema, document: Document, pointer: str, cell: Any) -> Any:
    """The value that a JSON value means in a column: itself where it fits or nothing does, else what its text means."""
    steps = place(document, pointer)
    part = schema_at(schema, document, to_pointer(steps)) if steps is not None else {}
    if matches(part, cell) or not isinstance(cell, str | int | float) or isinstance(cell, bool):
        return cell
    found = typed(schema, document, pointer, shown(cell))
    return found if matches(part, found) else cell


def look_ahead(merge: Merge, found: Merged, watch: Callable[[document.Pack], document.Pack] = as_it_is) -> None:
    """Check the whole draft as it would be, and note every line, and other node, that would have new errors."""
    documents = {case: own for case, (_, own) in found.rewritten.items()}
    ahead = errors_ahead(merge.pack, documents, found.added, merge.input_set.pk, watch)
    found.broken = [Trouble(found.rewritten[case][0], reason) for case, reason in ahead.changed.items()]
    found.broken += [Trouble(found.lines[number], reason) for number, reason in ahead.added.items()]
    found.broken.sort(key=lambda trouble: trouble.line)
    found.elsewhere = ahead.elsewhere


def _leading(node: int, old: Document, new: Document) -> Iterator[Change]:
    """The changes of top fields that lead from one document of a case to another."""
    for name in dict.fromkeys([*old, *new]):
        if old.get(name, ABSENT) is not new.get(name, ABSENT):
            yield Change(NodeKind.CASE, node, to_pointer((name,)), new.get(name, ABSENT))
