"""Cuts keys and secrets out of texts that are stored for people to read, however they are spelt.

What graders read is never cut: an answer counts as it was given.
"""

import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MARK = "[secret]"
# A shorter text may stand in any answer by itself; so may longer ones that are made of words or of figures.
SHORTEST = 8
SHORTEST_WORDS = 20
SHORTEST_FIGURES = 16
# Patterns are compiled by the few processes that hide something.
WORDS = r"[^\W\d_]+([ _.'-]*[^\W\d_]+)*"
FIGURES = r"[\d\s.,:;/+-]*\d[\d\s.,:;/+-]*"
PLAIN = frozenset(string.ascii_letters + string.digits)
SHORT_ESCAPES = {"\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f", "\\": r"\\"}


def can_be_hidden(secret: str) -> bool:
    """Whether a secret is so long or so odd that where it stands, nothing else can be meant."""
    least = SHORTEST
    if re.fullmatch(WORDS, secret):
        least = SHORTEST_WORDS
    elif re.fullmatch(FIGURES, secret):
        least = SHORTEST_FIGURES
    return len(secret) >= least


def spelling(character: str) -> str:
    """A pattern for a character in plain text, in JSON that may lie in other JSON, and in addresses."""
    encoded = "".join(f"%{byte:02x}" for byte in character.encode("utf-8", "surrogatepass"))
    units = character.encode("utf-16-be", "surrogatepass").hex()
    escaped = "".join(rf"\\+u{units[start : start + 4]}" for start in range(0, len(units), 4))
    ways = [rf"\\*{re.escape(character)}", f"(?i:{encoded})", f"(?i:{escaped})"]
    if character in SHORT_ESCAPES:
        ways.append(rf"\\+{SHORT_ESCAPES[character]}")
    if character == " ":
        ways.append(r"\+")
    return f"(?:{'|'.join(ways)})"


@dataclass(frozen=True, slots=True)
class Known:
    """A secret that is looked for: `run` is a part of it that every spelling has, to tell quickly that it is absent."""

    run: str = field(repr=False)
    pattern: re.Pattern[str] = field(repr=False)

    @classmethod
    def of(cls, secret: str) -> "Known":
        """A character that no notation rewrites stands for itself."""
        parts = (each if each in PLAIN else spelling(each) for each in secret)
        runs = re.findall(r"[A-Za-z0-9]+", secret)
        return cls(max(runs, key=len, default=""), re.compile("".join(parts)))

    def cut(self, text: str) -> str:
        return self.pattern.sub(MARK, text) if self.run in text else text


class Redactor:
    """Cuts known secrets out of texts and JSON values, those that can be hidden; without any it changes nothing.

    `longest` is how many characters the longest of them has.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        # A secret that contains another one goes first, so that nothing of it is left.
        wanted = sorted({secret for secret in secrets if can_be_hidden(secret)}, key=len, reverse=True)
        self.secrets = frozenset(wanted)
        self.longest = max(map(len, wanted), default=0)
        self.known = [Known.of(secret) for secret in wanted]

    def __repr__(self) -> str:
        return f"Redactor of {len(self.known)} secrets"

    def knowing(self, secrets: Iterable[str]) -> "Redactor":
        """One that knows these secrets too."""
        return Redactor({*self.secrets, *secrets})

    def text(self, text: str) -> str:
        """The text without secrets."""
        for secret in self.known:
            text = secret.cut(text)
        return text

    def value(self, value: Any) -> Any:
        """A JSON value without secrets, names of members included."""
        if not self.known:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.value(name): self.value(part) for name, part in value.items()}
        return [self.value(part) for part in value] if isinstance(value, list | tuple) else value
