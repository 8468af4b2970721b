"""From what a user types into a cell to the change of a document, one case or many at once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from packs.editing.pointers import replaced, require_json, value_at
from packs.editing.rechecking import batched
from packs.editing.values import ABSENT, Change, EditRefused
from packs.formats.adapter import Adapter, Node
from packs.formats.checking import refuses_publishing
from packs.formats.comparing import same
from packs.formats.costs import MANY_CASES
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, from_pointer, to_pointer
from packs.formats.structure.model import Schema, fields_of_any, inheriting, schema_at
from packs.grid.cells import read, shown
from packs.grid.columns import place, value_in
from packs.grid.foresight import errors_ahead
from packs.mirror import RowIndex, format_of, node_of
from packs.models import Case, Pack

EXAMPLES = 8
# How many changed cases a preview checks one by one, in drafts that are too large to be checked as a whole.
CHECKED = 50


class Act(StrEnum):
    """What a bulk edit does with a field."""

    SET = "set"
    CLEAR = "clear"
    REPLACE = "replace"


class Refusal(Exception):
    """A change that cannot be made in this document; `code` is no_case or no_place."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def schema_of(pack_row: Pack, document: Document) -> Schema:
    """The schema of a case's document in its pack."""
    return inheriting(format_of(pack_row).SCHEMA[NodeKind.CASE], document, pack_row.document)


def typed(schema: Schema, document: Document, pointer: str, text: str) -> Any:
    """The value that a text means in a column of a document; ABSENT for none.

    Raises Refusal where the document is no case.
    """
    _require_case(schema, document)
    steps = place(document, pointer)
    if steps is None:
        item = schema_at(schema, document, _home(pointer)).get("items", {})
        return read(text, item.get("properties", {}).get("value", {}))
    return read(text, schema_at(schema, document, to_pointer(steps)), value_at(document, steps))


def _require_case(schema: Schema, document: Document) -> None:
    """Raises Refusal for what stands for a line that could not be read: it has none of the fields of a case."""
    if not document or any(name in schema.get("properties", ()) for name in document):
        return
    if not set(document) & set(fields_of_any(schema)):
        raise Refusal("no_case", "This line could not be read as a case.")


def _home(pointer: str) -> str:
    """The list that a column with a step in brackets looks into."""
    steps = from_pointer(pointer)
    at = next((index for index, step in enumerate(steps) if step.startswith("[")), len(steps))
    return to_pointer(steps[:at])


def change_at(schema: Schema, document: Document, pointer: str, value: Any) -> tuple[str, Any] | None:
    """Pointer and value of the edit that puts a value into a column; None where it stands there already.

    What is missing on the way is made. Raises Refusal where something else is in the way.
    """
    _require_case(schema, document)
    steps = place(document, pointer)
    if steps is None:
        return None if value is ABSENT else _new_item(schema, document, pointer, value)
    if same(value_at(document, steps), value):
        return None
    for depth in range(1, len(steps)):
        around = value_at(document, steps[:depth])
        if around is ABSENT:
            return None if value is ABSENT else (to_pointer(steps[:depth]), _nested(steps[depth:], value))
        if not isinstance(around, dict | list):
            raise Refusal("no_place", f"{'.'.join(steps[:depth])} holds something else.")
    return to_pointer(steps), value


def _new_item(schema: Schema, document: Document, pointer: str, value: Any) -> tuple[str, Any]:
    """The edit that adds an item with a key to a list, or the list with it. Raises Refusal for anything else there."""
    home = _home(pointer)
    part = schema_at(schema, document, home).get("items", {})
    fields = part.get("properties", {})
    needed = {name: _first_of(fields.get(name, {})) for name in part.get("required", ()) if name != "key"}
    item = {"key": from_pointer(pointer)[len(from_pointer(home))][1:-1], **needed, "value": value}
    present = value_in(document, home)
    if present is ABSENT:
        return home, [item]
    if not isinstance(present, list):
        raise Refusal("no_place", f"{'.'.join(from_pointer(home))} holds something else.")
    return f"{home}/-", item


def _first_of(schema: Schema) -> Any:
    """A value that a field may have: its default, or the first of its choices or examples."""
    return schema.get("default", next(iter((*schema.get("enum", ()), *schema.get("examples", ()))), ""))


def _nested(steps: Sequence[str], value: Any) -> Any:
    for step in reversed(steps):
        value = {step: value}
    return value


@dataclass(slots=True)
class Wish:
    """A bulk edit: what to do with a column. `find` is what REPLACE looks for; `text` what it, or SET, puts there."""

    act: Act
    pointer: str
    text: str = ""
    find: str = ""

    def value(self, schema: Schema, document: Document) -> Any:
        """What the column shall hold. Raises Refusal."""
        if self.act is Act.CLEAR:
            return ABSENT
        if self.act is Act.SET:
            return typed(schema, document, self.pointer, self.text)
        present = value_in(document, self.pointer)
        if present is ABSENT or not self.find or self.find not in shown(present):
            return present
        return typed(schema, document, self.pointer, shown(present).replace(self.find, self.text))


@dataclass(slots=True)
class Example:
    """A case that a bulk edit changes, or refuses for a reason."""

    case: int
    key: str
    before: str = ""
    after: str = ""
    reason: str = ""


@dataclass(slots=True)
class Plan:
    """What a bulk edit would do. Refused cases stay as they are; the lists hold the first ones only.

    `broken` are changed cases that would have errors which they do not have now; of drafts with very many cases, only
    the first changed ones were `checked`.
    """

    changes: list[Change] = field(default_factory=list)
    unchanged: int = 0
    refused: int = 0
    examples: list[Example] = field(default_factory=list)
    refusals: list[Example] = field(default_factory=list)
    broken: list[Example] = field(default_factory=list)
    checked: int = 0

    def refuse(self, case: Case, reason: str) -> None:
        self.refused += 1
        if len(self.refusals) < EXAMPLES:
            self.refusals.append(Example(case.pk, case.key, reason=reason))

    def take(self, case: Case, pointer: str, found: tuple[str, Any], value: Any) -> None:
        self.changes.append(Change(NodeKind.CASE, case.pk, *found))
        if len(self.examples) < EXAMPLES:
            before = value_in(case.document, pointer)
            self.examples.append(Example(case.pk, case.key, shown(before), shown(value)))


def plan(pack_row: Pack, cases: Iterable[Case], wish: Wish, tick: Callable[[int], None] = lambda _: None) -> Plan:
    """What a bulk edit would do to these cases. `tick` gets now and then how many were looked at."""
    found = Plan()
    for number, case in enumerate(cases):
        if number % 1000 == 0:
            tick(number)
        schema = schema_of(pack_row, case.document)
        try:
            value = wish.value(schema, case.document)
            change = change_at(schema, case.document, wish.pointer, value)
            require_json(value)
        except (Refusal, EditRefused) as refusal:
            found.refuse(case, refusal.message)
            continue
        if change is None:
            found.unchanged += 1
        else:
            found.take(case, wish.pointer, change, value)
    return found


def look_ahead(pack_row: Pack, found: Plan) -> None:
    """Check the changed cases as they would be, and note those that would have new errors."""
    is_small = Case.objects.filter(pack=pack_row).count() <= MANY_CASES
    looked_at = found.changes if is_small else found.changes[:CHECKED]
    found.checked = len(looked_at)
    rows = rows_with(looked_at)
    errors = errors_ahead(pack_row, {row.pk: document for row, document in rows}).changed if is_small else {}
    for row, document in rows:
        reason = errors.get(row.pk, "") if is_small else first_refused(pack_row, new_findings(pack_row, row, document))
        if reason:
            found.broken.append(Example(row.pk, row.key, reason=reason))


def rows_with(changes: Iterable[Change]) -> list[tuple[Case, Document]]:
    """The rows of changed cases in their order, each with the document that it would have."""
    wanted = {change.node: change for change in changes}
    rows = [row for some in batched(wanted) for row in Case.objects.filter(pk__in=some).select_related("input_set")]
    rows.sort(key=lambda row: (row.input_set_id, row.position))
    return [(row, replaced(row.document, from_pointer(wanted[row.pk].pointer), wanted[row.pk].value)) for row in rows]


def first_refused(pack_row: Pack, findings: Iterable[Finding]) -> str:
    refused = (each for each in findings if refuses_publishing(pack_row.format, each.severity, each.code, each.rule))
    return next((each.message for each in refused), "")


def findings_with(pack_row: Pack, case: Case, document: Document) -> list[Finding]:
    """What a check of a case would find if it had this document. Costs the same in packs of every size."""
    now = node_of(case)
    return findings_at(pack_row, document, now.parent, now.position)


def findings_at(pack_row: Pack, document: Document, parent: int, position: int) -> list[Finding]:
    """What a check of a case would find that stood at a place: positions of its set and of its own."""
    adapter: Adapter = format_of(pack_row)
    key, challenge_key = adapter.identify(NodeKind.CASE, document)
    node = Node(NodeKind.CASE, document, key, challenge_key, parent, position)
    return list(adapter.check_node(RowIndex(pack_row), node))


def new_findings(pack_row: Pack, case: Case, document: Document) -> list[Finding]:
    """The findings that a case has not yet but would have with this document."""
    known = {(item["code"], tuple(item["path"])) for item in case.findings}
    return [item for item in findings_with(pack_row, case, document) if (item.code, item.path) not in known]
