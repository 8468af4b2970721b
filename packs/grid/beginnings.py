"""A table as a new pack: each record is a case, around which stands what a new pack of the format begins with."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from packs.editing.pointers import replaced
from packs.editing.rechecking import findings_by_address
from packs.editing.values import ABSENT, EditRefused
from packs.formats import adapter_of, document
from packs.formats.adapter import Adapter
from packs.formats.beginning import ANSWERS, EXAMPLE, AnswerRefused, First
from packs.formats.checking import as_it_is, refuses_publishing
from packs.formats.document import Document, NodeKind
from packs.formats.findings import Finding, from_pointer
from packs.formats.index import TreeIndex
from packs.formats.tables import Table, Trouble
from packs.grid.alike import further_keys
from packs.grid.cells import shown
from packs.grid.changing import Refusal
from packs.grid.columns import value_in
from packs.grid.foresight import name_of
from packs.grid.merging import Merged, Record, filled, reader_of
from packs.grid.naming import named_targets
from packs.grid.targets import ANSWER, likely_check, likely_format, likely_targets, targets_of, texts_of
from packs.models import Pack

SHOWN_CHARACTERS = 160
# Records that are shown as cases, and tried.
FIRST = 10
UNNAMED = "New pack"
NO_ROWS = "The table has no rows."
NO_QUESTION = "Say which column holds what the agent is asked."
OTHER_SETTINGS = "The check needs other settings here than in line {line}, and this format states them once for all."


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a table becomes a pack: what it is, what names of the table stand for (`packs.grid.targets`), and the kind of
    check that is made of right answers."""

    format: str
    title: str = "New"
    slug: str = ""
    check: str = ""
    mapping: Mapping[str, str] = field(default_factory=dict)

    @property
    def adapter(self) -> Adapter:
        return adapter_of(self.format)

    def first(self, question: str = "", answer: str = EXAMPLE.answer) -> First:
        """The beginning of a pack with this question and answer; without an answer with the usual check."""
        usual = next(kind for kind in ANSWERS if kind in self.adapter.FIRST_CHECKS)
        is_made = ANSWER in self.mapping.values() and self.check in self.adapter.FIRST_CHECKS
        return First(question or EXAMPLE.question, answer, self.check if is_made else usual)


def completed_recipe(recipe: Recipe, table: Table) -> Recipe:
    """A recipe with names that occur only further down than people were shown; what was chosen stays."""
    likely = {name: to for name, to in likely_targets(table, recipe.format).items() if name not in recipe.mapping}
    further = {name: "" if to in recipe.mapping.values() else to for name, to in likely.items()}
    return replace(recipe, mapping={**further, **recipe.mapping})


def likely_recipe(table: Table, format_name: str = "", title: str = "New") -> Recipe:
    """What a table most likely becomes, of its likely format where none is named."""
    name = format_name or likely_format(table)
    mapping = likely_targets(table, name)
    answers = next((texts_of(table, column) for column, target in mapping.items() if target == ANSWER), [])
    found = Recipe(name, title, check=likely_check(name, answers), mapping=mapping)
    return _tried(found, replace(table, records=table.records[:FIRST], troubles=()))


def _tried(recipe: Recipe, first: Table) -> Recipe:
    """A recipe without what most of the first records of a table break over: keys that the format does not take, and
    fields that a case of this kind does not have."""
    targets = targets_of(recipe.format)
    broken = _broken(recipe, first)
    for name, to in recipe.mapping.items():
        if broken * 2 <= len(first.records):
            break
        if to not in ("", ANSWER, targets.question, targets.metadata(name)):
            # What is left out is kept as a fact where the format has a place for it.
            without = replace(recipe, mapping={**recipe.mapping, name: targets.metadata(name)})
            if (fewer := _broken(without, first)) < broken:
                recipe, broken = without, fewer
    return recipe


def _broken(recipe: Recipe, first: Table) -> int:
    return len(check(recipe, make(recipe, first)).found.broken)


def asked_recipe(recipe: Recipe, table: Table, words: Mapping[str, str]) -> Recipe:
    """A recipe in which some columns stand for what words say (`Targets.named`).

    Raises Unmappable for a column that the table does not have, and for words that name nothing.
    """
    targets = targets_of(recipe.format)
    asked = named_targets(table, words, targets.named, ["question", "answer", "key", "metadata"])
    rest = {name: "" if to in asked.values() else to for name, to in recipe.mapping.items()}
    return replace(recipe, mapping={**rest, **asked})


@dataclass(slots=True)
class Made:
    """A pack that a table becomes, with what is wrong with it; `content` is all that its check said."""

    tree: document.Pack | None
    found: Merged
    content: list[Finding] = field(default_factory=list)


class _Maker:
    """Makes cases of records, which all have to stand in the same surroundings."""

    def __init__(self, recipe: Recipe, table: Table) -> None:
        self.recipe, self.adapter = recipe, recipe.adapter
        self.targets = targets_of(recipe.format)
        self.pointers = [recipe.mapping.get(name, "") for name in table.names]
        self.names = dict(zip(self.pointers, table.names, strict=True))
        self.reader = reader_of(table)
        self.around: document.Pack | None = None
        self.row = Pack(format=recipe.format)
        self.first_line = 0
        self.keys = _free_keys(recipe, table, self.pointers)

    def case(self, line: int, record: tuple[Any, ...]) -> Document:
        """The document of a case. Raises AnswerRefused, Refusal and EditRefused with the reason why there is none."""
        cells = [cell for cell in zip(self.pointers, record, strict=True) if cell[0] and cell[1] is not ABSENT]
        if self.targets.question in self.pointers:
            self._required(dict(cells), self.targets.question, "nothing is asked")
        start = self._start(line, dict(cells))
        own = [cell for cell in cells if cell[0] != ANSWER]
        made = filled(self.row, start, Record(line, own, self.reader))
        if value_in(made, self.targets.key) in (ABSENT, None, ""):
            made = replaced(made, from_pointer(self.targets.key), next(self.keys))
        return made

    def _start(self, line: int, cells: Mapping[str, Any]) -> Document:
        """What a case begins as: with the check of its right answer, or with the least that a new case has."""
        has_answer = ANSWER in self.pointers
        answer = self._required(cells, ANSWER, "there is no right answer") if has_answer else EXAMPLE.answer
        question = shown(cells.get(self.targets.question, ABSENT))
        tree = self.adapter.starter(self.recipe.slug or "new", self.recipe.title, self.recipe.first(question, answer))
        (only,) = tree.input_sets
        bare = replace(tree, input_sets=(replace(only, cases=()),))
        if self.around is None:
            self.around, self.first_line, self.row.document = bare, line, bare.document
        elif bare != self.around:
            raise Refusal("other_settings", OTHER_SETTINGS.format(line=self.first_line))
        key = from_pointer(self.targets.key)
        document = only.cases[0].document
        if not has_answer:
            new = self.adapter.new_document(NodeKind.CASE, TreeIndex(bare))
            asked = {name: value for name, value in document.items() if value == question}
            document = asked | {name: value for name, value in new.items() if isinstance(value, str) and value}
        found: Document = replaced(document, key, ABSENT)
        return found

    def _required(self, cells: Mapping[str, Any], target: str, why: str) -> str:
        text = shown(cells.get(target, ABSENT))
        if not text.strip():
            raise Refusal("empty", f"The column {self.names[target]!r} is empty: {why}.")
        return text


def _free_keys(recipe: Recipe, table: Table, pointers: list[str]) -> Iterator[str]:
    """Keys for cases that the table gives none, as the format's own small pack calls its case."""
    adapter = recipe.adapter
    case = adapter.starter("new", "New").input_sets[0].cases[0]
    key = targets_of(recipe.format).key
    at = pointers.index(key) if key in pointers else None
    taken = {shown(record[at]).strip() for _, record in table.records} if at is not None else set()
    return (key for key in further_keys(case.key) if key not in taken)


def make(recipe: Recipe, table: Table, tick: Callable[[int], None] = lambda _: None) -> Made:
    """The pack of a table, not checked yet. `tick` gets now and then how many records were looked at."""
    found, maker = Merged(troubles=list(table.troubles), note=table.note), _Maker(recipe, table)
    if ANSWER in maker.pointers and maker.targets.question not in maker.pointers:
        found.troubles.append(Trouble(0, NO_QUESTION))
        return Made(None, found)
    for number, (line, record) in enumerate(table.records):
        if number % 1000 == 0:
            tick(number)
        try:
            found.added.append(maker.case(line, record))
            found.lines.append(line)
        except (AnswerRefused, Refusal, EditRefused) as refused:
            found.troubles.append(Trouble(line, str(refused)))
    if not table.records and not table.troubles:
        found.troubles.append(Trouble(0, NO_ROWS))
    found.troubles.sort(key=lambda trouble: trouble.line)
    return Made(None if maker.around is None else _tree(recipe, maker.around, found.added), found)


def _tree(recipe: Recipe, around: document.Pack, documents: list[Document]) -> document.Pack:
    identify = recipe.adapter.identify
    cases = tuple(document.Case(*identify(NodeKind.CASE, own), own) for own in documents)
    return replace(around, input_sets=(replace(around.input_sets[0], cases=cases),))


def foreseen(recipe: Recipe) -> Recipe:
    """A recipe as it is looked at: the name of the pack may still be to come."""
    return replace(recipe, title=recipe.title.strip() or UNNAMED)


def check(recipe: Recipe, made: Made, watch: Callable[[document.Pack], document.Pack] = as_it_is) -> Made:
    """Check the whole pack, and note every line, and other node, that has errors."""
    if made.tree is None:
        return made
    made.content = list(recipe.adapter.check(watch(made.tree)))
    for address, items in findings_by_address(recipe.adapter, made.tree, made.content).items():
        refused = (
            item for item in items if refuses_publishing(recipe.format, item["severity"], item["code"], item["rule"])
        )
        reason = next((item["message"] for item in refused), "")
        if reason and address.kind is NodeKind.CASE:
            made.found.broken.append(Trouble(made.found.lines[address.indices[1]], reason))
        elif reason:
            made.found.elsewhere.append((name_of(made.tree, address), reason))
    made.found.broken.sort(key=lambda trouble: trouble.line)
    return made


def look(recipe: Recipe, table: Table) -> list[dict[str, Any]]:
    """The first records as cases, each with its line, its key and the texts of its mapped columns; or the reason why
    it is none."""
    first = replace(table, records=table.records[:FIRST], troubles=())
    found = check(recipe, make(recipe, first)).found
    documents = dict(zip(found.lines, found.added, strict=True))
    reasons = {trouble.line: trouble.reason for trouble in (*found.broken, *found.troubles)}
    targets = [(at, recipe.mapping[name]) for at, name in enumerate(table.names) if recipe.mapping.get(name)]
    return [
        {
            "line": line,
            "reason": reasons.get(line, ""),
            "cells": [
                shown(record[at] if to == ANSWER or line not in documents else value_in(documents[line], to))[
                    :SHOWN_CHARACTERS
                ]
                for at, to in targets
            ],
        }
        for line, record in first.records
    ]
