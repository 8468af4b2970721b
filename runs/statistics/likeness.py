"""Texts that say the same but for numbers, names and a few words, put together without a model."""

import re
from collections.abc import Iterable, Mapping

from rapidfuzz import fuzz, process

# How alike two texts are that belong together, from 0 to 100, and how much of a text is looked at.
ALIKE = 80
LOOKED_AT = 120
# Different texts that others may join; what is like none of so many stays together as the rest.
MOST_LEADERS = 40
REST = ""

_MASKS = (
    (re.compile(r"https?://\S+"), "<address>"),
    (re.compile(r"'[^'\n]{1,200}'|\"[^\"\n]{1,200}\"|`[^`\n]{1,200}`|“[^”\n]{1,200}”"), "<text>"),
    (re.compile(r"\b(?=[0-9a-f-]*\d)[0-9a-f]{8}[0-9a-f-]*\b", re.IGNORECASE), "<id>"),
    (re.compile(r"[-+]?\d+(?:[.,:]\d+)*"), "<number>"),
    (re.compile(r"\s+"), " "),
)


def masked(text: str) -> str:
    """The beginning of a text with marks in the place of what differs from case to case: quoted texts, numbers, ids."""
    found = text[: 3 * LOOKED_AT]
    for pattern, mark in _MASKS:
        found = pattern.sub(mark, found)
    return found.strip()[:LOOKED_AT]


def grouped(counts: Mapping[str, int], first: Iterable[str] = ()) -> dict[str, str]:
    """The text that stands for the group of each text; `first` are texts that stand for groups in any case.

    The most frequent texts stand for groups; each other one joins the group that it is most like, by the share of
    letters that both have in order when their words are sorted. Takes time for MOST_LEADERS comparisons a text.
    """
    leaders = {text: _sorted(text) for text in first}
    found = {}
    for text in sorted(counts, key=lambda each: (-counts[each], each)):
        if text not in leaders:
            near = process.extractOne(_sorted(text), leaders, scorer=fuzz.ratio, score_cutoff=ALIKE)
            if near is None and len(leaders) < MOST_LEADERS:
                leaders[text] = _sorted(text)
            else:
                found[text] = near[2] if near else REST
                continue
        found[text] = text
    return found


def _sorted(text: str) -> str:
    return " ".join(sorted(text.lower().split()))
