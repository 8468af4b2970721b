"""Paths that documents write: what all formats that name files by them share."""

import re
from collections.abc import Iterable

# A path with the ending of a file, in one line and without blanks: not a sentence, a placeholder or an address.
_PATH = re.compile(r"(?:[\w@+.-]+/)*[\w@+-][\w@+.-]*\.[A-Za-z]\w*")


def is_path(text: str) -> bool:
    """Whether a text looks like the path of a file inside a pack."""
    return _PATH.fullmatch(text) is not None


def folders_of(paths: Iterable[str]) -> list[str]:
    """The folders in which files lie, those around them included, sorted."""
    return sorted({path[:index] for path in paths for index, letter in enumerate(path) if letter == "/"})
