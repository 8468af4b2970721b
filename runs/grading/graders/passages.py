"""Passages of a text, found by what they say."""

import re


def find_passage(text: str, passage: str) -> tuple[int, int] | None:
    """Where a passage stands first, from and to; white space may differ. None where it does not, or is empty."""
    words = passage.split()
    found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return found.span() if found else None
