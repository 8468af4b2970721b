"""Patterns of the RE2 dialect: they take time linear in the text, whatever their author wrote."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from packs.formats.later import Later

if TYPE_CHECKING:
    import re2
else:
    re2 = Later("re2")

MAX_PATTERN_LENGTH = 10_000

_ADVICE = {
    "(?=": "Look-around is not part of RE2: match the context itself, or use two patterns.",
    "(?!": "Look-around is not part of RE2: match what is wanted, not what must be absent.",
    "(?<": "Look-around is not part of RE2: match the context itself, or use two patterns.",
    "(?>": "Atomic groups are not part of RE2, which never backtracks: use an ordinary group.",
    "(?#": "Comments are not part of RE2 patterns: leave the comment out.",
    "(?P": "RE2 names groups with (?P<name>...) and has no references to them: write the pattern again.",
    "(?(": "Conditions are not part of RE2: write both alternatives with |.",
    "\\Z": "RE2 writes the end of the text as \\z.",
}
_BACK_REFERENCE = "References to a group are not part of RE2: write the group's pattern again."
_REPETITION = "RE2 repeats a group at most 1000 times, nested repetitions multiplied."


@dataclass(frozen=True, slots=True)
class PatternTrouble:
    """Why a pattern cannot be used, and what to do about it where that is known."""

    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern."""

    source: str
    compiled: Any

    def is_found(self, text: str) -> bool:
        """Whether the pattern matches anywhere in the text; lone surrogates count as question marks."""
        return self.first_in(text) is not None

    def first_in(self, text: str) -> str | None:
        """The first match in a text; None where there is none."""
        found = self.compiled.search(text.encode("utf-8", "replace"))
        return found.group().decode("utf-8", "replace") if found else None


@lru_cache(maxsize=512)
def compile_pattern(source: str, case_sensitive: bool = True) -> Pattern | PatternTrouble:
    """A pattern ready for searching, or the reason why RE2 does not take it. Never raises."""
    if len(source) > MAX_PATTERN_LENGTH:
        return PatternTrouble(f"the pattern has {len(source)} characters; at most {MAX_PATTERN_LENGTH} are taken")
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = case_sensitive
    try:
        return Pattern(source, re2.compile(source.encode(), options))
    except UnicodeEncodeError:
        return PatternTrouble("the pattern holds half a character (a lone surrogate)")
    except re2.error as error:
        reason = error.args[0] if error.args else b"not a pattern"
        message = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        return PatternTrouble(message, _advice(message))


def _advice(message: str) -> str:
    problem, _, piece = message.partition(": ")
    if problem == "invalid repetition size":
        return _REPETITION
    if problem == "invalid escape sequence" and piece[1:2].isdigit():
        return _BACK_REFERENCE
    known = (advice for start, advice in _ADVICE.items() if piece.startswith(start))
    return next(known, "")
