"""Answers that a text offers to choose from: "low, medium or high", or a list with one in each line."""

import re
from collections.abc import Iterator
from itertools import pairwise

from packs.formats.answers import holds_span, normal

_SENTENCE = re.compile(r"[.!?:;](?=\s|$)|\n")
_BETWEEN = re.compile(r"\s*(?:[,/|](?:\s*or\b)?|\bor\b)\s*", re.IGNORECASE)
# Without one of these words or signs, commas are those of an ordinary sentence.
_CHOOSES = re.compile(r"\bone of\b|\bchoose\b|\bpick\b|\bclassify\b", re.IGNORECASE)
_OFFERS = re.compile(rf"\bor\b|[/|]|{_CHOOSES.pattern}", re.IGNORECASE)
_BULLET = re.compile(r"^[ \t]*(?:[-*•]|\(?[0-9A-Za-z][.)])[ \t]+(.+?)(?:[ \t]*:.*)?[ \t]*$", re.MULTILINE)
_QUOTES = "\"'`“”‘’()[]{}<> "
_MOST_WORDS = 4


def alternatives(text: str, answer: str) -> list[str]:
    """The answers among which a text offers this one, itself included; empty where it offers it among none."""
    wanted = normal(answer)
    for offered in _lists_of(text, wanted):
        if len(offered) > 1 and wanted in map(normal, offered):
            return offered
    return []


def is_offered(text: str, answer: str) -> bool:
    """Whether an answer stands in a text only where it is one of several to choose from."""
    if not alternatives(text, answer):
        return False
    wanted = normal(answer)
    bullets = {found[0] for found in _BULLET.finditer(text)} if wanted in map(normal, _bullets(text)) else set()
    listed = [(part, _items(part, before, wanted)) for before, part in _sentences(_without(text, bullets))]
    rest = [part for part, items in listed if wanted not in map(normal, items)]
    return not any(holds_span(normal(part), wanted) for part in rest)


def _without(text: str, lines: set[str]) -> str:
    for line in lines:
        text = text.replace(line, "\n")
    return text


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """The sentences of a text and its parts at colons, each after the one before."""
    parts = ["", *(part for part in _SENTENCE.split(text) if part.strip())]
    return pairwise(parts)


def _lists_of(text: str, wanted: str) -> Iterator[list[str]]:
    yield _bullets(text)
    for before, sentence in _sentences(text):
        yield _items(sentence, before, wanted)


def _bullets(text: str) -> list[str]:
    found = [match[1].strip(_QUOTES) for match in _BULLET.finditer(text)]
    return found if len(found) > 1 else []


def _items(sentence: str, before: str, wanted: str) -> list[str]:
    """The items of a sentence that lists several; the words before the first and after the last belong to none."""
    parts = [part.strip(_QUOTES) for part in _BETWEEN.split(sentence)]
    if len(parts) < 2 or not (_OFFERS.search(sentence) or _CHOOSES.search(before)):
        return []
    size = len(wanted.split())
    first, last = parts[0].split(), parts[-1].split()
    items = [" ".join(first[-size:]), *parts[1:-1], " ".join(last[:size])]
    return [item.strip(_QUOTES) for item in items if item and len(item.split()) <= _MOST_WORDS]
