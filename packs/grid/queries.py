"""Which cases of an input set match, and in which order.

What the database can say with certainty it says alone. Values of documents are looked at here, in the few cases that
the database leaves over: their text in the column holds every key with its value as `packs.columns.encode` writes it.
Orders by a value are those of `packs.grid.sorting`.
"""

import json
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import StrIndex
from django.db.models.lookups import GreaterThan

from packs.companion import PROOFS, companion
from packs.editing.values import ABSENT
from packs.formats.document import Document, NodeKind
from packs.formats.findings import from_pointer
from packs.formats.structure.model import fields_of_any, types_of
from packs.grid.cells import shown
from packs.grid.columns import Column, value_in
from packs.grid.sorting import ordered, sorted_ids
from packs.mirror import format_of
from packs.models import Case, InputSet

# More rows than a screen shows; a page of twice as many takes twice as long to make, to send and to draw.
PAGE = 50
# The characters of a query, names of its parameters included. SQLite fails at patterns above 50,000 bytes; a character
# of a search takes up to six of them, as documents are searched in JSON.
LONGEST_QUERY = 8000
PROBLEMS = ("any", "error", "warning", "none")
# Columns that rows have besides those of their documents.
BY_KEY, BY_PROBLEMS = "key", "problems"
# The parameters that state a query; those that begin with IS or LACKS name a pointer.
ASKED = ("q", "problems", "proof", "sort", "column", "value")
IS, LACKS = "is:", "lacks:"
_TERM = re.compile(r'(?:([^\s":]+):)?(?:"([^"]*)"|(\S+))')
CHUNK = 2000


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked of the cases of a set.

    `text` has words that must all occur; `input.question:hub` asks for a value that holds the text. `problems` is one
    of PROBLEMS, or empty, `proof` one of PROOFS or empty. `where` holds exact texts by pointer, `without` pointers at
    which there is no value, or one that shows nothing. `sort` is a pointer, BY_KEY or BY_PROBLEMS, empty for the order
    of the set.
    """

    text: str = ""
    problems: str = ""
    proof: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    sort: str = ""
    descending: bool = False

    @property
    def is_narrowed(self) -> bool:
        return bool(self.text.strip() or self.problems or self.proof or self.where or self.without)


def query_of(asked: Mapping[str, Any]) -> Query:
    """The query that parameters state; unknown words in them count as nothing."""
    where = {name.removeprefix(IS): value for name, value in asked.items() if name.startswith(IS)}
    if asked.get("column") and asked.get("value"):
        where[asked["column"]] = asked["value"]
    sort = asked.get("sort", "")
    by = sort.removeprefix("-")
    return Query(
        text=asked.get("q", "").replace("\0", ""),
        problems=asked.get("problems", "") if asked.get("problems") in PROBLEMS else "",
        proof=asked.get("proof", "") if asked.get("proof") in PROOFS else "",
        where={pointer: value for pointer, value in where.items() if pointer.startswith("/")},
        without=frozenset(name.removeprefix(LACKS) for name in asked if name.startswith(f"{LACKS}/")),
        sort=by if by in (BY_KEY, BY_PROBLEMS) or by.startswith("/") else "",
        descending=sort.startswith("-"),
    )


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a query: those that may stand anywhere, and those that a column must hold, by pointer."""

    words: tuple[str, ...]
    within: tuple[tuple[str, str], ...]


def terms_of(text: str, columns: Mapping[str, Column]) -> Terms:
    """The words of a query. A name that is no column's belongs to its word."""
    names = {column.name.lower(): pointer for pointer, column in columns.items()}
    words, within = [], []
    for name, quoted, bare in _TERM.findall(text):
        word = quoted or bare
        if name and name.lower() in names:
            within.append((names[name.lower()], word))
        else:
            words.append(f"{name}:{word}" if name else word)
    return Terms(tuple(words), tuple(within))


class Matches:
    """The cases that match a query: how many, one page of them, all their ids."""

    def __init__(self, input_set: InputSet, query: Query, columns: Mapping[str, Column]) -> None:
        self._query, self._columns = query, columns
        self._terms = terms_of(query.text, columns)
        self._inherited = _inherited(input_set)
        self._fields = frozenset(_field_names(format_of(input_set.pack).SCHEMA[NodeKind.CASE]))
        self._names = " ".join(self._fields).lower()
        self._where = dict(query.where)
        rows: QuerySet[Case] = Case.objects.filter(input_set=input_set)
        if query.proof:
            rows = companion().with_proofs(input_set.pack, rows).filter(proof=query.proof)
        self._rows: QuerySet[Case] = self._narrowed(rows)
        self._found: list[int] | None = self._scanned() if self._needs_a_look else None

    def __len__(self) -> int:
        return self._rows.count() if self._found is None else len(self._found)

    def ids(self) -> list[int]:
        """The ids of all matching cases, in their order."""
        if self._found is None:
            self._found = self._first() if self._by_value else list(self._sorted().values_list("pk", flat=True))
        return self._found

    def page(self, start: int, length: int = PAGE) -> list[Case]:
        """Some matching cases from index `start`."""
        if self._found is None and not self._by_value:
            return list(self._sorted()[start : start + length])
        found = self._first(start + length) if self._found is None else self._found
        wanted = found[start : start + length]
        rows = {row.pk: row for row in Case.objects.filter(pk__in=wanted)}
        return [rows[pk] for pk in wanted if pk in rows]

    def rows(self) -> Iterator[Case]:
        """All matching cases, read in portions."""
        ids = self.ids()
        for start in range(0, len(ids), CHUNK):
            rows = {row.pk: row for row in Case.objects.filter(pk__in=ids[start : start + CHUNK])}
            yield from (rows[pk] for pk in ids[start : start + CHUNK] if pk in rows)

    def _first(self, count: int | None = None) -> list[int]:
        """The ids of the first matching cases, or of all, in the order of a value."""
        sort, descending = self._query.sort, self._query.descending
        inherited = self._inherited.get(sort, ABSENT)
        found = sorted_ids(self._rows, sort, inherited, descending=descending, limit=count)
        if found is None:
            found = self._found = self._scanned()
        return found

    def _sorted(self) -> QuerySet[Case]:
        rows, sign = self._rows, "-" if self._query.descending else ""
        if self._query.sort == BY_KEY:
            return rows.order_by(f"{sign}key", "position", "pk")
        if self._query.sort == BY_PROBLEMS:
            return rows.order_by(f"{sign}error_count", f"{sign}warning_count", "position", "pk")
        return rows.order_by(f"{sign}position", f"{sign}pk")

    def _narrowed(self, rows: QuerySet[Case]) -> QuerySet[Case]:
        """The rows that the database leaves over; never fewer than match."""
        rows = _with_problems(rows, self._query.problems)
        for word in (*self._terms.words, *(text for _, text in self._terms.within)):
            rows = rows.filter(_holds(word))
        for pointer in set(self._where) & set(self._inherited):
            rows = self._as_inherited(rows, pointer)
        for pointer, text in self._where.items():
            # Numbers have more than one spelling, and an absent value may stand for one of the pack's.
            column = self._columns.get(pointer)
            is_text = column is not None and types_of(column.schema) == ("string",)
            if is_text and text and text.isascii() and pointer not in self._inherited:
                rows = rows.filter(GreaterThan(StrIndex("document", Value(_fragment(pointer, text))), 0))
        return rows

    def _as_inherited(self, rows: QuerySet[Case], pointer: str) -> QuerySet[Case]:
        """Where no case states a value that all take from the pack, either all match or none."""
        name = json.dumps(from_pointer(pointer)[-1], ensure_ascii=False)
        if rows.filter(GreaterThan(StrIndex("document", Value(f"{name}:")), 0)).exists():
            return rows
        wanted = self._where.pop(pointer)
        return rows if shown(self._inherited[pointer]) == wanted else rows.none()

    @property
    def _by_value(self) -> bool:
        return self._query.sort not in ("", BY_KEY, BY_PROBLEMS)

    @property
    def _needs_a_look(self) -> bool:
        doubtful = any(word.lower() in self._names or set(word) & set('":,{}[]') for word in self._terms.words)
        return bool(doubtful or self._terms.within or self._where or self._query.without)

    def _scanned(self) -> list[int]:
        """The ids of the cases that match, looked at one by one, in their order."""
        matches = self._matches
        if not self._by_value:
            rows = self._sorted().values_list("pk", "document")
            return [pk for pk, document in rows.iterator(CHUNK) if matches(document)]
        rows, sort = self._rows.order_by("position", "pk").values_list("pk", "document"), self._query.sort
        values = ((self._value(document, sort), pk) for pk, document in rows.iterator(CHUNK) if matches(document))
        return ordered(values, descending=self._query.descending)

    def _matches(self, document: Document) -> bool:
        if any(shown(self._value(document, pointer)) for pointer in self._query.without):
            return False
        for pointer, text in self._where.items():
            if shown(self._value(document, pointer)) != text:
                return False
        for pointer, text in self._terms.within:
            if text.lower() not in shown(self._value(document, pointer)).lower():
                return False
        words = self._terms.words
        return not words or all(_occurs(word.lower(), document, self._fields) for word in words)

    def _value(self, document: Document, pointer: str) -> Any:
        """The value of a column, that of the pack where the document leaves it to the pack."""
        value = value_in(document, pointer)
        return self._inherited.get(pointer, value) if value is ABSENT or value is None else value


def _with_problems(rows: QuerySet[Case], problems: str) -> QuerySet[Case]:
    found = {
        "any": Q(error_count__gt=0) | Q(warning_count__gt=0),
        "error": Q(error_count__gt=0),
        "warning": Q(warning_count__gt=0),
        "none": Q(error_count=0, warning_count=0),
    }
    return rows.filter(found[problems]) if problems in found else rows


def _spellings(text: str) -> set[str]:
    """How a text can stand inside the JSON of a column: by either writer."""
    try:
        return {orjson.dumps(text).decode()[1:-1], json.dumps(text)[1:-1]}
    except TypeError:
        return {json.dumps(text)[1:-1]}


def _holds(word: str) -> Q:
    """Whether a word occurs in the text of a document, whatever its case (of letters beyond ASCII as it is)."""
    found = Q()
    for spelling in _spellings(word):
        found |= Q(document__icontains=spelling)
    return found


def _fragment(pointer: str, text: str) -> str:
    """A key with its value, as a document's text has it."""
    return f"{json.dumps(from_pointer(pointer)[-1], ensure_ascii=False)}:{orjson.dumps(text).decode()}"


def _occurs(word: str, value: Any, fields: Container[str]) -> bool:
    """Whether a word occurs in a text or a number of a value, or in a name that is none of the schema's `fields`."""
    if isinstance(value, str):
        return word in value.lower()
    if isinstance(value, dict):
        return any(
            _occurs(word, item, fields) or (name not in fields and word in name.lower()) for name, item in value.items()
        )
    if isinstance(value, list):
        return any(_occurs(word, item, fields) for item in value)
    return word in shown(value).lower()


def _inherited(input_set: InputSet) -> dict[str, Any]:
    """What cases have that leave a value to the pack's own document, by pointer (`x-inherits` of the schema)."""
    properties = format_of(input_set.pack).SCHEMA[NodeKind.CASE].get("properties", {})
    found = {}
    for name, part in properties.items():
        if "x-inherits" in part:
            value = value_in(input_set.pack.document, part["x-inherits"])
            found[f"/{name}"] = ABSENT if value is None else value
    return found


def _field_names(schema: Mapping[str, Any], depth: int = 4) -> Iterator[str]:
    """The names of the fields that a schema knows: a word that occurs in one of them occurs in every document."""
    for name, part in fields_of_any(schema).items():
        yield name
        inner = part.get("items", part) if isinstance(part, dict) else {}
        if depth and isinstance(inner, dict):
            yield from _field_names(inner, depth - 1)
