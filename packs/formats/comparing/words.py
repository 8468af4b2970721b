"""The difference of two texts: word by word for a reader, line by line as in a patch."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from packs.formats.comparing.alignment import stretches
from packs.formats.comparing.values import Act
from packs.formats.later import Later

if TYPE_CHECKING:
    import difflib
else:
    difflib = Later("difflib")

_TOKENS = re.compile(r"\w+(?:['-]\w+)*|\s|[^\w\s]")
# Longer texts are compared line by line: so many words are not read one by one.
MAX_WORDS = 20_000


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text; `act` is None for what both texts have."""

    text: str
    act: Act | None = None


def runs(old: str, new: str) -> list[Run]:
    """Both texts in one, as stretches that stayed, went and came."""
    found: list[Run] = []
    for kept, gone, come in _joined(_stretches(_tokens(old), _tokens(new))):
        found += [Run(text, act) for text, act in ((kept, None), (gone, Act.REMOVED), (come, Act.ADDED)) if text]
    return found


def _tokens(text: str) -> list[str]:
    tokens = _TOKENS.findall(text)
    return tokens if len(tokens) <= MAX_WORDS else text.splitlines(keepends=True)


def _stretches(old: list[str], new: list[str]) -> Iterator[tuple[str, str, str]]:
    """What stays, what goes after it and what comes in its place; over and over."""
    for (kept, at, end), (_, new_at, new_end) in stretches(old, new):
        yield "".join(old[kept:at]), "".join(old[at:end]), "".join(new[new_at:new_end])


def _joined(stretches: Iterator[tuple[str, str, str]]) -> Iterator[tuple[str, str, str]]:
    """The same without blanks that stay between words that do not: nobody reads `~~a~~ ~~b~~` with pleasure."""
    last: tuple[str, str, str] | None = None
    for kept, gone, come in stretches:
        if last is not None and kept in {" ", ""} and (gone or come) and last[1] and last[2]:
            last = (last[0], last[1] + kept + gone, last[2] + kept + come)
            continue
        if last is not None:
            yield last
        last = (kept, gone, come)
    if last is not None:
        yield last


def _known(old: list[str], new: list[str]) -> "difflib.SequenceMatcher[str]":
    """Groups lines by equal ones that were found already, which takes little time for files of any size."""
    found = difflib.SequenceMatcher(None, list[str](), list[str]())
    vars(found)["opcodes"] = list(_opcodes(old, new))
    return found


def _opcodes(old: list[str], new: list[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """Stretches of equal and of other lines, as `difflib` names them."""
    for (kept, at, end), (new_kept, new_at, new_end) in stretches(old, new):
        if at > kept:
            yield "equal", kept, at, new_kept, new_at
        if end > at or new_end > new_at:
            yield "replace", at, end, new_at, new_end


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines around a change, each with the mark of a patch in front: a blank, `-` or `+`."""

    head: str
    lines: list[str]


def hunks(old: str, new: str, context: int = 3) -> Iterator[Hunk]:
    """The changed lines of a file with those around them, as in a unified patch."""
    left, right = old.split("\n"), new.split("\n")
    for group in _known(left, right).get_grouped_opcodes(context):
        (_, start, _, new_start, _), (_, _, end, _, new_end) = group[0], group[-1]
        lines = []
        for name, low, high, new_low, new_high in group:
            if name == "equal":
                lines += [f" {line}" for line in left[low:high]]
                continue
            lines += [f"-{line}" for line in left[low:high]] + [f"+{line}" for line in right[new_low:new_high]]
        yield Hunk(f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@", lines)


def _range(start: int, end: int) -> str:
    """Lines as the head of a hunk counts them."""
    return f"{start + 1 if end > start else start},{end - start}"
