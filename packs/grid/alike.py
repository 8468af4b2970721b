"""More cases like those of a set: what a record of a table becomes that says only what is asked and what is right."""

import re
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count, product
from typing import Any

import orjson

from packs.editing.values import ABSENT
from packs.formats import adapter_of
from packs.formats.adapter import Adapter
from packs.formats.beginning import EXAMPLE, AnswerRefused, First
from packs.formats.document import Document, NodeKind
from packs.formats.findings import from_pointer
from packs.formats.index import TreeIndex
from packs.formats.tables import Table
from packs.grid.cells import shown
from packs.grid.changing import Refusal
from packs.grid.columns import Column, key_pointer, value_in
from packs.grid.guessing import are_cases, guessed
from packs.grid.targets import ANSWER, by_words, targets_of
from packs.mirror import format_of, read_tree
from packs.models import Case, InputSet

_NUMBERED = re.compile(r"(.*?)(\d+)", re.DOTALL)
# Two right answers of each kind that is no plain text.
_SAMPLES = {"numeric_match": ("1", "2"), "json_path_match": ("a = 1", "b = 2")}
# More values than any check has that is made of one right answer.
MANY = 20
EMPTY = "There is no right answer in this line."
NO_ANSWER = "The check there does not follow from a right answer alone. Choose the field that holds the answer."


@dataclass(frozen=True, slots=True)
class Alike:
    """What further cases of a set are like.

    `asked` and `answers` are the fields that follow from a question and from a right answer, the latter as the kind
    `check` states it; both are empty where no right answer alone makes the check. `shared` are fields of all cases,
    `types` the kinds that the settings of the pack name.
    """

    adapter: Adapter
    types: frozenset[str]
    key: str
    asked: frozenset[str] = frozenset()
    check: str = ""
    answers: frozenset[str] = frozenset()
    shared: Document = field(default_factory=dict)

    def start(self, cells: Mapping[str, Any]) -> Document:
        """What a case begins as that gets these cells, by what they stand for. Raises AnswerRefused and Refusal."""
        question = targets_of(self.adapter.NAME).question
        asked = shown(cells.get(question, ABSENT))
        found = dict(self.shared)
        if question in cells:
            found |= _only(_case(self.adapter, First(asked, EXAMPLE.answer)), self.asked)
        return found | self.answered(asked, cells[ANSWER]) if ANSWER in cells else found

    def answered(self, question: str, cell: Any) -> Document:
        """The fields that state the right answer in a cell. Raises AnswerRefused and Refusal."""
        answer = shown(cell)
        if not answer.strip():
            raise Refusal("empty", EMPTY)
        if not self.check:
            raise Refusal("no_answer", NO_ANSWER)
        return _only(_case(self.adapter, First(question, answer, self.check)), self.answers)

    def beside(self, case: Case, document: Document) -> "Alike":
        """What cases are like that are made as this one of the same pack."""
        return _alike(self.adapter, self.types, document, case.key)


def further_keys(key: str) -> Iterator[str]:
    """A key and those that follow it: row-7, row-8; for one without a number at its end hub, hub-2."""
    numbered = _NUMBERED.fullmatch(key)
    if numbered:
        yield from (f"{numbered[1]}{number}" for number in count(int(numbered[2])))
    yield key
    between = "_" if "_" in key else "-"
    yield from (f"{key}{between}{number}" for number in count(2))


def likely_mapping(
    table: Table, input_set: InputSet, columns: Mapping[str, Column], known: Mapping[str, str]
) -> dict[str, str]:
    """What each name of a table most likely stands for in a set: what it stood for before, the field of that name, and
    else what people usually call so: a question, a right answer, a key."""
    found = guessed(table, input_set.pack, columns, known)
    targets = targets_of(input_set.pack.format)
    if are_cases(table, input_set.pack):
        return found
    offered = {targets.question, targets.key} & columns.keys() | ({ANSWER} if alike_of(input_set).check else set())
    written = {column.name.lower() for column in columns.values()}
    free = [name for name in table.names if name not in known and name.lower() not in written]
    for name, to in by_words(free, targets):
        if to in offered and to not in found.values() and (to == ANSWER or not found[name]):
            found[name] = to
    return found


def completed(
    chosen: Mapping[str, str], table: Table, input_set: InputSet, columns: Mapping[str, Column]
) -> dict[str, str]:
    """A mapping with names that occur only further down than people were shown; what was chosen stays."""
    likely = likely_mapping(table, input_set, columns, {})
    further = {name: pointer for name, pointer in likely.items() if name not in chosen}
    return {**{name: "" if to in chosen.values() else to for name, to in further.items()}, **chosen}


def alike_of(input_set: InputSet) -> Alike:
    """What further cases of a set are like: its last one, or a new one where it has none."""
    pack = input_set.pack
    adapter, types = format_of(pack), frozenset(_types(pack.document))
    last = Case.objects.filter(input_set=input_set).order_by("-position", "-pk").first()
    if last is not None:
        return _alike(adapter, types, last.document, last.key)
    tree = read_tree(pack, contents=False)
    at = [each.key for each in tree.input_sets].index(input_set.key)
    new = adapter.new_document(NodeKind.CASE, TreeIndex(tree), at)
    key = from_pointer(key_pointer(adapter))
    plain = {name: value for name, value in new.items() if isinstance(value, str) and value and (name,) != key}
    return Alike(adapter, types, shown(value_in(new, key_pointer(adapter))), shared=plain)


def _alike(adapter: Adapter, types: frozenset[str], like: Document, key: str) -> Alike:
    own = from_pointer(key_pointer(adapter))[0]
    question = shown(value_in(like, targets_of(adapter.NAME).question))
    # The most demanding kind first: what it makes of an answer, a plainer one may make as well.
    for check in reversed(list(adapter.FIRST_CHECKS)):
        shape = _shape(adapter.NAME, check)
        answers = shape.answers & like.keys()
        if shape.types <= types and answers and _states(adapter, check, question, _only(like, answers)):
            shared = _only(like, shape.fields - {own} - shape.asked - answers)
            return Alike(adapter, types, key, shape.asked, check, answers, shared)
    shape = _shape(adapter.NAME, EXAMPLE.check)
    plain = _only(like, shape.fields - {own} - shape.asked - shape.answers)
    shared = {name: value for name, value in plain.items() if isinstance(value, str)}
    return Alike(adapter, types, key, shape.asked, shared=shared)


@dataclass(frozen=True, slots=True)
class _Shape:
    """The fields of a case with one kind of check, those that follow from question and answer, and the kinds of checks
    that the pack states for it."""

    fields: frozenset[str]
    asked: frozenset[str]
    answers: frozenset[str]
    types: frozenset[str]


@lru_cache
def _shape(format_name: str, check: str) -> _Shape:
    adapter = adapter_of(format_name)
    one, other = _SAMPLES.get(check, ("a", "b"))
    tree = adapter.starter("new", "New", First("a", one, check))
    case = tree.input_sets[0].cases[0].document
    asked = _differing(case, _case(adapter, First("b", one, check)))
    answers = _differing(case, _case(adapter, First("a", other, check)))
    return _Shape(frozenset(case), asked, answers, frozenset(_types(tree.document)))


def _states(adapter: Adapter, check: str, question: str, fields: Document) -> bool:
    """Whether these fields are what a check of this kind makes of some right answer that stands in them."""
    for answer in _told(check, list(fields.values())):
        try:
            made = _case(adapter, First(question, answer, check))
        except AnswerRefused:
            continue
        if _only(made, fields) == fields:
            return True
    return False


def _told(check: str, values: list[Any]) -> Iterator[str]:
    """The right answers that these values may have been made of."""
    leaves = dict(_leaves(values))
    if len(leaves) > MANY:
        return
    if check == "json_path_match":
        yield from (f"{path.partition('.')[2]} = {leaf}" for path, leaf in leaves.items())
        paths = (leaf.removeprefix("$.") for leaf in leaves.values())
        yield from (f"{path} = {leaf}" for path, leaf in product(paths, leaves.values()))
    yield from leaves.values()


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text and number in a value by the names that lead there, JSON that is written as text included."""
    found = value
    if isinstance(value, str) and value.startswith("{"):
        with suppress(orjson.JSONDecodeError):
            found = orjson.loads(value)
    if isinstance(found, dict | list):
        for step, part in found.items() if isinstance(found, dict) else enumerate(found):
            yield from _leaves(part, f"{path}.{step}" if path else f"{step}")
    else:
        yield path, found if isinstance(found, str) else orjson.dumps(found).decode()


def _types(settings: Any) -> set[str]:
    """The kinds that are named anywhere in settings: of checks, where a pack states these for all of its cases."""
    if isinstance(settings, list):
        return {kind for part in settings for kind in _types(part)}
    if not isinstance(settings, dict):
        return set()
    own = {settings["type"]} if isinstance(settings.get("type"), str) else set()
    return own | {kind for part in settings.values() for kind in _types(part)}


def _case(adapter: Adapter, first: First) -> Document:
    return adapter.starter("new", "New", first).input_sets[0].cases[0].document


def _only(document: Document, names: Container[str]) -> Document:
    return {name: value for name, value in document.items() if name in names}


def _differing(one: Document, other: Document) -> frozenset[str]:
    return frozenset(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
