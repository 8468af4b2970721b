"""The words of a text or document, the same for what is indexed and for what is looked for.

Databases split texts into words each in its own way, and none of them Chinese or Japanese. So they are split here, and
the index takes the words as they are.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

# Characters of scripts that put no blanks between words: kana and ideographs.
_UNSPACED = "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUNS = re.compile(f"[{_UNSPACED}]+|[^\\W_{_UNSPACED}]+")
_ASCII_RUNS = re.compile("[a-z0-9]+")
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]")
# Accents of Latin, Greek and Cyrillic letters; signs of other scripts change what a word means.
_ACCENTS = re.compile("[\u0300-\u036f]+")
# Longer words are cut, in the index and in what is looked for.
MAX_WORD = 64
# What is looked at of one row: so many characters, and so many different words.
MAX_TEXT = 400_000
MAX_WORDS = 10_000
# How many words of a question are looked for.
MAX_SOUGHT = 12


def folded(text: str) -> str:
    """A text without case, accents and variants of the same letter."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", apart))


def words_of(texts: Iterable[str]) -> list[str]:
    """The different words of texts in the order of their first places, at most MAX_WORDS.

    Where a script has no blanks every two characters that stand together are a word, and the last one is one alone:
    so every part of a run begins one of its words.
    """
    found: dict[str, None] = {}
    left = MAX_TEXT
    for text in texts:
        for run in _runs(text[:left]):
            found.update(dict.fromkeys((*_pairs(run), run[-1]) if _UNSPACED_RUN.match(run) else (run[:MAX_WORD],)))
        left -= len(text)
        if left <= 0 or len(found) >= MAX_WORDS:
            break
    return list(found)[:MAX_WORDS]


def sought(question: str) -> list[str]:
    """The words that a question looks for; each may be the beginning of a word in the index."""
    found: dict[str, None] = {}
    for run in _runs(question[:1000]):
        is_unspaced = len(run) > 1 and _UNSPACED_RUN.match(run)
        found.update(dict.fromkeys(_pairs(run) if is_unspaced else (run[:MAX_WORD],)))
    return list(found)[:MAX_SOUGHT]


def texts_in(value: Any) -> Iterator[str]:
    """The texts and numbers of a JSON value; the names of its fields are no words of its author."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, dict):
            waiting.extend(reversed(item.values()))
        elif isinstance(item, list):
            waiting.extend(reversed(item))
        elif isinstance(item, int | float) and not isinstance(item, bool):
            yield _number(item)


def _runs(text: str) -> list[str]:
    even = folded(text)
    return (_ASCII_RUNS if even.isascii() else _RUNS).findall(even)


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _number(item: float) -> str:
    try:
        return str(item)
    except ValueError:
        # Python writes no integers of more than 4,300 digits.
        return ""
