"""The columns that cases of a set can be shown in: the scalars of their schema, and of free data that they hold."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from packs.editing.pointers import value_at
from packs.editing.sizes import short
from packs.editing.values import ABSENT
from packs.formats.adapter import Adapter
from packs.formats.document import Document, NodeKind
from packs.formats.findings import from_pointer, to_pointer
from packs.formats.structure.model import ANYTHING, Schema, fields_of_any, governors, types_of, variants_of
from packs.models import InputSet

# How many cases are looked into for free data, and what is offered and shown at most.
SAMPLES = 200
MAX_COLUMNS = 120
SHOWN = 5
SCALARS = frozenset({"string", "integer", "number", "boolean"})
MAX_DEPTH = 4


@dataclass(frozen=True, slots=True)
class Column:
    """A value that most cases of a set have, or could have.

    `pointer` is a JSON Pointer; a step in brackets stands for the item of that key in a list of keyed items, as in
    `/inputs/[question]/value`. `filled` says how many of the sampled cases have it.
    """

    pointer: str
    title: str
    group: str = ""
    schema: Schema = field(default_factory=dict)
    governs: bool = False
    filled: int = 0

    @property
    def name(self) -> str:
        """How people write the column, in filters and in the first line of a table: `input.question`."""
        return ".".join(step.strip("[]") for step in from_pointer(self.pointer))

    @property
    def choices(self) -> tuple[str, ...]:
        """The values that the schema allows, or suggests where other fields depend on it."""
        found = self.schema.get("enum") or (self.schema.get("examples") if self.governs else ())
        return tuple(str(value) for value in found or ())

    @property
    def is_number(self) -> bool:
        return bool(types_of(self.schema)) and set(types_of(self.schema)) <= {"integer", "number"}


def place(document: Document, pointer: str) -> tuple[str, ...] | None:
    """The steps to a column's value in a document; None where there is no item of the key that it asks for."""
    value: Any = document
    steps = []
    for step in from_pointer(pointer):
        found = step
        if step.startswith("[") and step.endswith("]") and not isinstance(value, dict):
            index = _index_of(value, step[1:-1]) if isinstance(value, list) else None
            if index is None:
                return None
            found = str(index)
        value = value_at(value, (found,))
        steps.append(found)
    return tuple(steps)


def _index_of(items: list[Any], key: str) -> int | None:
    return next((at for at, item in enumerate(items) if isinstance(item, dict) and item.get("key") == key), None)


def value_in(document: Document, pointer: str) -> Any:
    """The value of a column in a document; ABSENT where there is none."""
    value: Any = document
    for step in _steps(pointer):
        if type(value) is not dict:
            # Only inside of lists is it more than a walk along names.
            steps = place(document, pointer)
            return ABSENT if steps is None else value_at(document, steps)
        value = value.get(step, ABSENT)
        if value is ABSENT:
            return ABSENT
    return value


@lru_cache(maxsize=1000)
def _steps(pointer: str) -> tuple[str, ...]:
    return tuple(from_pointer(pointer))


def columns_of(adapter: Adapter, input_set: InputSet) -> dict[str, Column]:
    """The columns of an input set by pointer, in the order of the schema; those of free data follow their place."""
    samples = short(input_set.cases.all()).order_by("position").values_list("document", flat=True)[:SAMPLES]
    return columns_among(adapter, list(samples))


def columns_among(adapter: Adapter, samples: list[Document]) -> dict[str, Column]:
    """The columns of cases such as these."""
    schema = adapter.SCHEMA[NodeKind.CASE]
    found = {column.pointer: column for column in _below(schema, "", "", samples, MAX_DEPTH)}
    found |= {column.pointer: column for column in _unknown(found, schema, samples)}
    governing = _governing(schema)
    return {
        pointer: replace(column, filled=_filled(samples, pointer), governs=pointer in governing)
        for pointer, column in list(found.items())[:MAX_COLUMNS]
    }


def column_at(adapter: Adapter, input_set: InputSet, pointer: str) -> Column | None:
    """The column of a pointer, `filled` left out; None where the set has none.

    Cases are looked into only for free data.
    """
    schema = adapter.SCHEMA[NodeKind.CASE]
    found = next((column for column in _below(schema, "", "", [], MAX_DEPTH) if column.pointer == pointer), None)
    if found is None:
        return columns_of(adapter, input_set).get(pointer)
    return replace(found, governs=pointer in _governing(schema))


def _governing(schema: Schema) -> set[str]:
    return {to_pointer((name,)) for name in governors(schema)}


def _filled(samples: list[Document], pointer: str) -> int:
    return sum(value_in(document, pointer) not in (ABSENT, None) for document in samples)


def key_pointer(adapter: Adapter) -> str:
    """Where cases state their key."""
    return adapter.KEY_POINTERS.get(NodeKind.CASE, "")


def chosen_first(columns: Mapping[str, Column], key: str) -> list[str]:
    """The columns that are shown until a user chooses others: what most cases have, besides the key."""
    sampled = max((column.filled for column in columns.values()), default=0)
    useful = [pointer for pointer, column in columns.items() if column.filled * 2 > sampled and pointer != key]
    governing = [pointer for pointer, column in columns.items() if column.governs and column.filled]
    first = useful or [pointer for pointer in columns if pointer != key]
    return list(dict.fromkeys([*governing, *first]))[:SHOWN]


def _below(schema: Schema, pointer: str, group: str, samples: list[Document], depth: int) -> Iterator[Column]:
    """The columns at and below an object."""
    for name, part in fields_of_any(schema).items():
        at = f"{pointer}{to_pointer((name,))}"
        title = part.get("title", "") or name
        if is_cell(part):
            yield Column(at, title, group, part)
        elif "object" in types_of(part) and depth:
            yield from _below(part, at, title, samples, depth - 1)
            yield from _free(part, at, title, samples)
        elif "array" in types_of(part):
            yield from _keyed(part, at, title, samples)


def is_cell(schema: Schema) -> bool:
    """Whether values of this schema fit into a cell: scalars, lists of them, and unions with either."""
    if variants_of(schema):
        return any(is_cell(variant) for variant in variants_of(schema))
    named = types_of(schema)
    if "array" in named:
        return is_cell(schema.get("items", {}))
    return "enum" in schema or "const" in schema or bool(SCALARS & set(named))


def _free(schema: Schema, pointer: str, group: str, samples: list[Document]) -> Iterator[Column]:
    """The columns of a mapping with free names: those that the samples have and that hold scalars."""
    known = fields_of_any(schema)
    item = schema.get("additionalProperties")
    part = item if isinstance(item, dict) else ANYTHING
    for name in _names(value_in(document, pointer) for document in samples):
        if name not in known:
            yield Column(f"{pointer}{to_pointer((name,))}", name, group, part)


def _names(found: Iterable[Any]) -> list[str]:
    """The names under which mappings hold scalars, the most frequent ones first."""
    counts: Counter[str] = Counter()
    for value in found:
        if isinstance(value, dict):
            counts.update(name for name, item in value.items() if not isinstance(item, dict | list))
    return [name for name, _ in counts.most_common(MAX_COLUMNS)]


def _keyed(schema: Schema, pointer: str, group: str, samples: list[Document]) -> Iterator[Column]:
    """The values of a list whose items have a key: `inputs` of the key `question`."""
    fields = schema.get("items", {}).get("properties", {})
    if not {"key", "value"} <= set(fields):
        return
    counts: Counter[str] = Counter()
    for document in samples:
        items = value_in(document, pointer)
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and isinstance(item.get("key"), str):
                counts[item["key"]] += not isinstance(item.get("value"), dict | list)
    for key, scalars in counts.most_common(MAX_COLUMNS):
        if scalars:
            yield Column(f"{pointer}{to_pointer((f'[{key}]', 'value'))}", key, group, fields["value"])


def _unknown(found: Mapping[str, Column], schema: Schema, samples: list[Document]) -> Iterator[Column]:
    """Scalars at the top of documents that the schema does not know."""
    known = fields_of_any(schema)
    for name in _names(samples):
        pointer = to_pointer((name,))
        if name not in known and pointer not in found:
            yield Column(pointer, name)
