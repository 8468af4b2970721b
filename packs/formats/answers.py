"""How an answer in words is compared with the answers that an author states (benchmark-pack 9.1 to 9.4).

Checks ask here whether an answer can be met at all, graders whether it was: both see the same text.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any

from packs.formats.findings import Path

MAX_CHOICES = 26
EDGES = " \t\r\n\"'`.,;:"
_LEAD_INS = ("final answer", "answer")
_CHOICE_LEAD_INS = (*_LEAD_INS, "choice", "option")
# Patterns are compiled when an answer is compared: most checks compare none.
# White space is taken whole at once: answers may begin with thousands of blanks.
_LABEL = rf"\s*+(?:{'|'.join(_CHOICE_LEAD_INS)})?\s*+(?:is)?\s*+[:-]?\s*+[(\[]?([A-Za-z])[)\].:]?\s*+"
_NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_COMMON_WORDS = """
a an and are as at be because been before being by did do does due for from how if in into is it its no not of on or
over that the their this through to was were what when where which who whom whose why with you your
"""
_STOP_WORDS = frozenset(_COMMON_WORDS.split())


@dataclass(frozen=True, slots=True)
class Answer:
    """A right answer that an agent must not read, with the path of its field in the case's document.

    Where it `is_offered`, it is one of the choices that the agent is given, and stands among them on purpose.
    """

    path: Path
    text: str
    is_offered: bool = False


def normal(text: str) -> str:
    """A text in the form in which answers are compared: lower case, single blanks, without quotes and stops around."""
    return " ".join(text.lower().split()).strip(EDGES)


def normal_response(text: str) -> str:
    """The form in which free answers are compared: `u.s.` is spelled out as well."""
    return " ".join(_spelled_out(text).split()).strip(EDGES)


def _spelled_out(text: str) -> str:
    return text.lower().replace("u.s.", "united states")


def focused(text: str, *, among_choices: bool = False) -> str:
    """The last line that says something, and of it what follows words such as "final answer is"."""
    line = next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
    lead_ins = "|".join(_CHOICE_LEAD_INS if among_choices else _LEAD_INS)
    found = re.search(rf"(?:{lead_ins})\s*(?:is)?\s*[:-]?\s*(.+)", line, re.IGNORECASE)
    return found[1].strip() if found else line


def label_of(text: str, count: int) -> str:
    """The letter of a choice, in upper case, where a text is one of the first `count` letters; else empty."""
    found = re.fullmatch(_LABEL, text)
    letter = found[1].upper() if found else ""
    return letter if letter and ord(letter) - ord("A") < count else ""


def letter_at(position: int) -> str:
    """The label of a choice, by its position from 0."""
    return chr(ord("A") + position)


def expected_values(answer: Any, choices: Sequence[str]) -> set[str]:
    """Every label and normalised text that counts as right (benchmark-pack 9.2); empty for an unusable answer."""
    entries = answer if isinstance(answer, list) else [answer]
    return {value for entry in entries for value in entry_values(entry, choices) if value}


def entry_values(entry: Any, choices: Sequence[str]) -> set[str]:
    """What one entry of a multiple-choice answer lets count as right."""
    if isinstance(entry, str):
        letter = label_of(entry, len(choices))
        if letter:
            return {letter, normal(choices[ord(letter) - ord("A")])}
        text = normal(entry)
        return {text, *(letter_at(index) for index, choice in enumerate(choices) if normal(choice) == text)}
    if isinstance(entry, int | float) and not isinstance(entry, bool) and entry == int(entry):
        position = int(entry)
        if 0 <= position < len(choices):
            return {letter_at(position), normal(choices[position])}
    return set()


def candidate_values(text: str, count: int) -> set[str]:
    """Every label and normalised text that an answer to a multiple-choice question can be read as."""
    if not text.strip():
        return set()
    focus = focused(text, among_choices=True)
    found = {normal(text), normal(focus), label_of(focus, count), label_of(text, count)}
    return {value for value in found if value}


@dataclass(frozen=True, slots=True)
class Match:
    """Which of the accepted answers was met, and how: numeric_tolerance, normalized_exact or answer_span."""

    index: int
    strategy: str


def match_short(text: str, accepted: Sequence[Any], tolerance: float | None) -> Match | None:
    """The first accepted answer that a short answer meets (benchmark-pack 9.3)."""
    whole, focus = text.strip(), focused(text)
    for candidate in dict.fromkeys(part for part in (whole, focus) if part):
        for index, answer in enumerate(accepted):
            strategy = _met(candidate, answer, tolerance)
            if strategy:
                return Match(index, strategy)
    return None


def _met(candidate: str, answer: Any, tolerance: float | None) -> str:
    if tolerance is not None:
        left, right = number_in(candidate), number_in(answer)
        if left is not None and right is not None and isclose(left, right, rel_tol=1e-9, abs_tol=tolerance):
            return "numeric_tolerance"
    wanted, given = normal(str(answer)), normal(candidate)
    if wanted == given:
        return "normalized_exact"
    return "answer_span" if holds_span(given, wanted) else ""


def number_in(value: Any) -> float | None:
    """The first number of a text, its thousands separators ignored; a number is itself."""
    if isinstance(value, int | float):
        return float(value)
    found = re.search(_NUMBER, str(value).replace(",", ""))
    return float(found[0]) if found else None


def holds_span(text: str, part: str) -> bool:
    """Whether a text holds another one between word boundaries."""
    if not part or part not in text:
        return False
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None


@dataclass(frozen=True, slots=True)
class Best:
    """The highest token F1 among answers, with the index of the first that reaches it; None where all are 0."""

    score: float
    index: int | None


def best_overlap(text: str, answers: Sequence[str]) -> Best:
    """Which answer has most words in common with a text (benchmark-pack 9.4)."""
    tokens, best = _tokens(text), Best(0.0, None)
    for index, answer in enumerate(answers):
        score = _overlap(tokens, _tokens(answer))
        if score > best.score:
            best = Best(score, index)
    return best


def _tokens(text: str) -> list[str]:
    return [token for token in re.findall("[a-z0-9]+", _spelled_out(text)) if token not in _STOP_WORDS]


def _overlap(candidate: list[str], reference: list[str]) -> float:
    """Token F1 of two lists of words: the harmonic mean of precision and recall."""
    common = (Counter(candidate) & Counter(reference)).total()
    if not common:
        return 0.0
    precision, recall = common / len(candidate), common / len(reference)
    return 2 * precision * recall / (precision + recall)


@dataclass(frozen=True, slots=True)
class Response:
    """What the rubric of a free response finds: the indices met, and the best overlaps of words."""

    matched: int | None
    rejected: int | None
    accepted_overlap: float
    rejected_overlap: float

    @property
    def passes(self) -> bool:
        return self.matched is not None and self.rejected is None


def match_response(text: str, accepted: Sequence[str], rejected: Sequence[str], least: float) -> Response:
    """Compare a free answer with accepted and rejected ones (benchmark-pack 9.4, steps 1 to 6)."""
    given = normal_response(text)
    refused, matched = _first_span(given, rejected), _first_span(given, accepted)
    best, worst = best_overlap(text, accepted), best_overlap(text, rejected)
    if matched is None and best.score >= least:
        matched = best.index
    if refused is None and worst.score >= least and worst.score >= best.score:
        refused = worst.index
    return Response(matched, refused, best.score, worst.score)


def _first_span(given: str, answers: Sequence[str]) -> int | None:
    return next((index for index, answer in enumerate(answers) if holds_span(given, normal_response(answer))), None)
