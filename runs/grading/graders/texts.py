"""White space, words and normalisation steps as the text graders understand them (challenge-pack d.3)."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

# White space in the sense of Unicode's White_Space property; str.strip would also take the separators 0x1C to 0x1F.
SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
DEFAULT_PIPELINE = ("trim", "lowercase", "collapse_whitespace")

_SPACES = re.compile(f"[{SPACE}]+")
# Blanks that are collapsed: what \s means in RE2.
_BLANKS = re.compile(r"[\t\n\f\r ]+")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b", re.ASCII)
_CURRENCY = re.compile("[$€£¥₹]|USD|EUR|GBP|JPY|INR")
_FORMATTING = re.compile(r"[,()\[\]]")


def trim(text: str) -> str:
    """Without white space at both ends."""
    return text.strip(SPACE)


def words(text: str) -> list[str]:
    """The parts between white space."""
    return [word for word in _SPACES.split(text) if word]


def without_space(text: str) -> str:
    """Without any white space."""
    return _SPACES.sub("", text)


def collapse_blanks(text: str) -> str:
    """Each run of blanks, tabs and line ends becomes one blank."""
    return _BLANKS.sub(" ", text)


def strip_currency(text: str) -> str:
    """Without currency signs and the codes of five currencies."""
    return _CURRENCY.sub("", text)


def prepared(text: str, settings: Mapping[str, Any]) -> str:
    """What the settings `normalize` and `case_insensitive`, which several graders share, make of a text."""
    if settings["normalize"]:
        text = collapse_blanks(trim(text))
    return text.casefold() if settings["case_insensitive"] else text


def _strip_punctuation(text: str) -> str:
    return "".join(character for character in text if unicodedata.category(character)[0] not in "PS")


def _sort_words(text: str) -> str:
    return " ".join(sorted(words(text)))


def _sort_lines(text: str) -> str:
    return "\n".join(sorted(text.replace("\r\n", "\n").split("\n")))


STEPS: dict[str, Callable[[str], str]] = {
    "trim": trim,
    "lowercase": str.casefold,
    "collapse_whitespace": collapse_blanks,
    "strip_punctuation": _strip_punctuation,
    "strip_currency": strip_currency,
    "strip_formatting": lambda text: _FORMATTING.sub("", text),
    "normalize_unicode": lambda text: unicodedata.normalize("NFKC", text),
    "remove_articles": lambda text: _ARTICLES.sub(" ", text),
    "sort_words": _sort_words,
    "sort_lines": _sort_lines,
}


def run_pipeline(text: str, steps: Iterable[str]) -> str:
    """Apply steps in the order given. Raises KeyError for an unknown step."""
    for step in steps:
        text = STEPS[step](text)
    return text
