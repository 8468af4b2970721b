"""What people score of a trial, and what their scores say of it: passed or not, and how well from 0 to 1."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Any, NamedTuple

from packs.formats.characters import storable
from runs.grading.graders.passages import find_passage
from runs.grading.graders.rubrics import BEST, TOLERANCE

MAX_TEXT = 20_000
MAX_PASSAGES = 50
YES, NO = "yes", "no"


class Unreadable(ValueError):
    """A score, or a rubric, that cannot be taken; its text is for people."""


class Kind(StrEnum):
    """What is said of an aspect: a number, yes (1) or no (0), one of its labels, a text, or passages of the answer."""

    SCALE = "scale"
    YES_NO = "yes_no"
    LABEL = "label"
    TEXT = "text"
    PASSAGES = "passages"


# Kinds of which one choice has to be made; the others may stay empty.
CHOSEN = (Kind.SCALE, Kind.YES_NO, Kind.LABEL)


class Said(NamedTuple):
    """What scores say of a trial; `score` is from 0 to 1."""

    passes: bool
    score: float


class Choice(NamedTuple):
    """A choice of an aspect: its value among the scores, its word, and the digit that chooses it, if any."""

    value: int | str
    word: str
    digit: str


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing that a reviewer scores: its key among the scores, its name, and the text that says what is meant.

    A scale goes from `least` to `best`; `labels` are the choices of a label. Where it decides whether a trial passes,
    `passes_from` is the least number of a scale that does, and `passing` are the labels that do, or yes or no.
    """

    key: str
    name: str
    text: str = ""
    kind: Kind = Kind.SCALE
    least: int = 0
    best: int = BEST
    labels: tuple[str, ...] = ()
    passes_from: int | None = None
    passing: tuple[str, ...] = ()

    @property
    def decides(self) -> bool:
        return self.passes_from is not None or bool(self.passing)

    @property
    def is_chosen(self) -> bool:
        return self.kind in CHOSEN

    @property
    def choices(self) -> list[Choice]:
        """What can be chosen, as far as the kind is one of CHOSEN."""
        if self.kind is Kind.YES_NO:
            return [Choice(1, "Yes", "1"), Choice(0, "No", "0")]
        if self.kind is Kind.LABEL:
            return [Choice(label, label, str(at) if at < 10 else "") for at, label in enumerate(self.labels, start=1)]
        return [Choice(value, str(value), str(value)) for value in range(self.least, self.best + 1)]

    def word_of(self, value: Any) -> str:
        """What was said of this aspect, in words."""
        if self.kind is Kind.PASSAGES:
            return " … ".join(f"“{passage['text']}”" for passage in value or ())
        return next((choice.word for choice in self.choices if choice.value == value), str(value))

    def verdict(self, value: Any) -> Said:
        """What a value says of the trial, where the aspect decides."""
        if self.kind is Kind.SCALE:
            return Said(value >= (self.passes_from or 0), (value - self.least) / (self.best - self.least))
        passes = ((YES if value else NO) if self.kind is Kind.YES_NO else value) in self.passing
        return Said(passes, float(passes))


@dataclass(frozen=True, slots=True)
class Rubric:
    """All that is scored of a trial. It passes where each aspect that decides says so.

    With `passes_from` it passes where the mean of all scores, which are from 0 to 4, reaches that.
    """

    aspects: Sequence[Aspect] = ()
    passes_from: float | None = None

    def verdict(self, scores: Mapping[str, Any]) -> Said | None:
        """What the scores of one person say; None where they say nothing."""
        given = [(aspect, scores[aspect.key]) for aspect in self.aspects if aspect.key in scores]
        if self.passes_from is not None and given:
            mean = fmean(value for _, value in given)
            return Said(mean >= self.passes_from - TOLERANCE, mean / BEST)
        said = [aspect.verdict(value) for aspect, value in given if aspect.decides]
        return Said(all(each.passes for each in said), fmean(each.score for each in said)) if said else None

    def read(self, given: Mapping[str, Any], answer: str) -> dict[str, Any]:
        """The scores that somebody gave of an answer, by the keys of the aspects. Raises Unreadable."""
        if others := set(given) - {aspect.key for aspect in self.aspects}:
            raise Unreadable(f"Nobody asks for {', '.join(sorted(others))}.")
        read = {aspect.key: read_value(aspect, given.get(aspect.key), answer) for aspect in self.aspects}
        return {key: value for key, value in read.items() if value not in (None, "", [])}


def read_value(aspect: Aspect, value: Any, answer: str) -> Any:
    """What is said of one aspect; empty where it may stay empty and does. Raises Unreadable."""
    if aspect.kind is Kind.TEXT:
        return read_text(aspect, value)
    if aspect.kind is Kind.PASSAGES:
        return read_passages(aspect, value, answer)
    if aspect.kind is Kind.YES_NO and isinstance(value, bool):
        return int(value)
    known = [choice.value for choice in aspect.choices]
    if type(value) not in (int, str) or value not in known:
        stated = f"{known[0]} to {known[-1]}" if aspect.kind is Kind.SCALE else ", ".join(map(str, known))
        raise Unreadable(f"Score {aspect.name!r} with one of: {stated}.")
    return value


def read_text(aspect: Aspect, value: Any) -> str:
    if not isinstance(value, str | None) or len(value or "") > MAX_TEXT:
        raise Unreadable(f"Write at most {MAX_TEXT:,} characters about {aspect.name!r}.")
    return storable((value or "").strip())


def read_passages(aspect: Aspect, value: Any, answer: str) -> list[dict[str, Any]]:
    """The places of passages in the answer, each given by its text."""
    if not isinstance(value, list | None) or len(value or ()) > MAX_PASSAGES:
        raise Unreadable(f"Name at most {MAX_PASSAGES} passages for {aspect.name!r}.")
    found = []
    for text in value or ():
        place = find_passage(answer, text) if isinstance(text, str) else None
        if place is None:
            raise Unreadable(f"The answer does not contain {str(text)[:80]!r}.")
        found.append({"start": place[0], "end": place[1], "text": storable(answer[place[0] : place[1]])})
    return found
