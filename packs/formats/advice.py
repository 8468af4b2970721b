"""What authors may have meant by a name that nothing knows."""

from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING

from packs.formats.later import Later

if TYPE_CHECKING:
    import difflib
else:
    difflib = Later("difflib")

_CUTOFF = 0.7
# So many letters of a slip are others than meant; names that only share a word differ in more.
_LETTERS = 2
# A longer name is no slip of a known one; comparing takes time that grows with it.
_LONGEST = 100


def did_you_mean(name: str, known: Collection[str], otherwise: str) -> str:
    """Advice that names the known name that is most like `name`; `otherwise` where none is."""
    close = closest(name, tuple(known))
    return f"Did you mean {close}?" if close else otherwise


def closest(name: str, known: tuple[str, ...]) -> str:
    """The known name that is most like `name`; empty where none is close."""
    return _closest(name, known) if len(name) <= _LONGEST else ""


@lru_cache(maxsize=4096)
def slip_of(name: str, known: tuple[str, ...]) -> str:
    """The known name of which `name` is a slip of the pen: two letters differ at most. Empty where it is none."""
    meant = closest(name, known)
    steps = difflib.SequenceMatcher(None, name, meant, autojunk=False).get_opcodes() if meant else ()
    changed = sum(max(end - start, to - since) for tag, start, end, since, to in steps if tag != "equal")
    return meant if changed <= _LETTERS else ""


@lru_cache(maxsize=4096)
def _closest(name: str, known: tuple[str, ...]) -> str:
    """One unknown key often stands in thousands of cases, so answers are kept; empty where no name is close."""
    length, letters = len(name), _letters(name)
    likely = [
        other
        for other, its_length, its_letters in _looks(known)
        if 2 * min(length - (letters & ~its_letters).bit_count(), its_length - (its_letters & ~letters).bit_count())
        >= _CUTOFF * (length + its_length)
    ]
    return next(iter(difflib.get_close_matches(name, likely, n=1, cutoff=_CUTOFF)), "") if likely else ""


@lru_cache(maxsize=256)
def _looks(known: tuple[str, ...]) -> tuple[tuple[str, int, int], ...]:
    """Names with their lengths and letters, by which most pairs are seen not to be close: comparing them costs more.

    Each letter that only one of two names has stands at least once in it and matches nothing in the other.
    """
    return tuple((name, len(name), _letters(name)) for name in known)


def _letters(name: str) -> int:
    """The letters of a name, a bit for each; letters may share a bit, which makes names look more alike, never less."""
    bits = 0
    for letter in name:
        bits |= 1 << (ord(letter) & 127)
    return bits
