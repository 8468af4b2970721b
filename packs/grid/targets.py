"""What columns of a table can stand for in a new pack, and what they most likely do, by their names and contents."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from packs.editing.values import ABSENT
from packs.formats import FORMATS, adapter_of
from packs.formats.beginning import ANSWERS, AnswerRefused, First
from packs.formats.document import NodeKind
from packs.formats.findings import from_pointer, to_pointer
from packs.formats.structure.model import fields_of_any
from packs.formats.tables import Table
from packs.grid.cells import shown
from packs.grid.columns import Column, columns_among, key_pointer, value_in
from packs.grid.guessing import are_cases, guessed
from packs.models import Pack

# Stands for the right answer, from which the check of a new pack is made. Everything else is a pointer.
ANSWER = "answer"
METADATA = "metadata"
# Records that are looked into.
SAMPLES = 200
FEW = 10
_MARK = "what the agent is asked"
# Without a word for it, only what is numbered looks like a key.
_KEY = re.compile(r"(?=.*\d)\S{1,60}")
_WORDS = re.compile(r"[^\W_]+")
_QUESTIONS = "question prompt query ask problem task instruction instructions request input message text frage aufgabe"
_ANSWERS = "answer expected gold golden target truth label solution reference ideal correct output antwort lösung"
_KEYS = "id key case name number no nr nummer slug"


@dataclass(frozen=True, slots=True)
class Targets:
    """What columns can stand for in a format: `key` and `question` are pointers into `columns`.

    `keeps_metadata` says that a case can carry facts which nobody asked for.
    """

    key: str
    question: str
    columns: Mapping[str, Column]
    keeps_metadata: bool

    def names(self) -> Iterator[tuple[str, str]]:
        """Every target with its words on screen, the usual ones first."""
        yield self.question, "What the agent is asked"
        yield ANSWER, "The right answer"
        yield self.key, "The key of the case"
        for pointer, column in self.columns.items():
            if pointer not in (self.question, self.key):
                yield pointer, column.name

    def metadata(self, name: str) -> str:
        """Where a column is kept of which the format says nothing; empty where there is no such place."""
        return to_pointer((METADATA, name)) if self.keeps_metadata else ""

    def named(self, name: str, text: str) -> str | None:
        """The target that a text names for a column: as on screen, `question` or `key`, a field, or a pointer."""
        known = {"": "", "question": self.question, "key": self.key, ANSWER: ANSWER, METADATA: self.metadata(name)}
        fields = {column.name: pointer for pointer, column in self.columns.items()}
        found = known.get(text, fields.get(text, text))
        return found if found == ANSWER or is_place(found) else None


def is_place(text: str) -> bool:
    """Whether a text can be a pointer into a case; empty for nowhere."""
    return not text or (text.startswith("/") and bool(from_pointer(text)[0]))


@lru_cache
def targets_of(format_name: str) -> Targets:
    """What columns can stand for in new packs of a format: what its small whole pack has, and all fields of cases."""
    adapter = adapter_of(format_name)
    check = next(kind for kind in ANSWERS if kind in adapter.FIRST_CHECKS)
    document = adapter.starter("new", "New", First(_MARK, "answer", check)).input_sets[0].cases[0].document
    columns = columns_among(adapter, [document])
    # The last of them: a description before it may say the same.
    question = [pointer for pointer in columns if value_in(document, pointer) == _MARK][-1]
    has_place = METADATA in fields_of_any(adapter.SCHEMA[NodeKind.CASE])
    return Targets(key_pointer(adapter), question, columns, has_place)


def likely_format(table: Table) -> str:
    """The format whose cases the records of JSON are in its own names; else the first."""
    return next((name for name in FORMATS if are_cases(table, Pack(format=name))), next(iter(FORMATS)))


def likely_targets(table: Table, format_name: str) -> dict[str, str]:
    """What each name of a table most likely stands for; no target is given twice."""
    found, row = targets_of(format_name), Pack(format=format_name)
    if are_cases(table, row):
        return guessed(table, row, found.columns, {})
    taken = dict(by_words(table.names, found))
    rest = {name: at for name, at in guessed(table, row, found.columns, {}).items() if at and at not in taken.values()}
    chosen = {**rest, **taken}
    chosen |= dict(_by_contents(table, found, chosen))
    return {name: chosen.get(name) or found.metadata(name) for name in table.names}


def by_words(names: Iterable[str], targets: Targets) -> Iterator[tuple[str, str]]:
    """Names with a word that people use for a question, an answer or a key; the most usual word first."""
    free = list(names)
    for target, words in ((ANSWER, _ANSWERS), (targets.question, _QUESTIONS), (targets.key, _KEYS)):
        ranks = {word: rank for rank, word in enumerate(words.split())}
        ranked = [(min((ranks.get(word, 99) for word in _words(name)), default=99), name) for name in free]
        rank, name = min(ranked, key=lambda item: item[0], default=(99, ""))
        if rank < 99:
            free.remove(name)
            yield name, target


def _words(name: str) -> list[str]:
    return _WORDS.findall(name.lower())


def _by_contents(table: Table, targets: Targets, chosen: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Where the names say nothing: questions are what is longest or asks, an answer is what stands after it."""
    cells = {name: texts_of(table, name) for name in table.names if name not in chosen}
    cells = {name: texts for name, texts in cells.items() if texts}
    if targets.question not in chosen.values() and cells:
        name = max(cells, key=lambda name: (_asking(cells[name]), sum(map(len, cells[name])) / len(cells[name])))
        del cells[name]
        yield name, targets.question
    if targets.key not in chosen.values():
        # A column is left for the answer.
        is_spare = len(cells) > (ANSWER not in chosen.values())
        every = len(table.records[:SAMPLES])
        keys = (name for name, texts in cells.items() if is_spare and len(texts) == every and _are_keys(texts))
        key = next(keys, None)
        if key is not None:
            del cells[key]
            yield key, targets.key
    if ANSWER not in chosen.values() and cells:
        yield next(iter(cells)), ANSWER


def _asking(texts: list[str]) -> bool:
    return sum(text.rstrip().endswith("?") for text in texts) * 2 > len(texts)


def _are_keys(texts: list[str]) -> bool:
    return len(set(texts)) == len(texts) and all(map(_KEY.fullmatch, texts))


def texts_of(table: Table, name: str) -> list[str]:
    """The cells of a column that are not empty, of the first records."""
    at = table.names.index(name)
    return [text for _, record in table.records[:SAMPLES] if (text := shown(_cell(record[at])).strip())]


def _cell(value: Any) -> Any:
    return ABSENT if value is None else value


def likely_check(format_name: str, answers: list[str]) -> str:
    """The kind of check that most likely suits right answers: near for numbers, places of JSON, whole labels."""
    known = adapter_of(format_name).FIRST_CHECKS
    usual = next(kind for kind in ANSWERS if kind in known)
    if not answers:
        return usual
    if "numeric_match" in known and suit("numeric_match", answers):
        return "numeric_match"
    if "json_path_match" in known and suit("json_path_match", answers):
        return "json_path_match"
    is_label = len(set(answers)) <= FEW and len(answers) >= 3 * len(set(answers))
    return "exact_match" if is_label and "exact_match" in known else usual


def suit(check: str, answers: Iterable[str]) -> bool:
    """Whether answers are written as a kind of check wants them."""
    try:
        for answer in answers:
            first = First("", answer, check)
            _ = first.number() if check == "numeric_match" else first.fact()
    except AnswerRefused:
        return False
    return True
