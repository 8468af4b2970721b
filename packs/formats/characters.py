"""Characters that not every place keeps: half characters (lone surrogates), which no encoding can write, and U+0000, of
which PostgreSQL has no text."""

import re

HALF = re.compile("[\ud800-\udfff]")
# Escapes in JSON that may be half a character.
ESCAPED_HALF = r"\\u[dD][89a-fA-F]"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def without_halves(text: str) -> str:
    """A text with U+FFFD in place of each half character."""
    return text if text.isascii() else HALF.sub(REPLACEMENT, text)


def storable(text: str) -> str:
    """A text that every database takes: with a visible sign in place of each U+0000, and without half characters."""
    return without_halves(text.replace("\0", "\N{SYMBOL FOR NULL}"))
