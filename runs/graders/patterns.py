"""Searching with patterns of the RE2 dialect, which takes time linear in the text."""

from functools import lru_cache
from typing import Any

import re2

MAX_PATTERN_LENGTH = 10_000


class BadPattern(ValueError):
    """A pattern that RE2 does not take."""


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise BadPattern(f"it is longer than {MAX_PATTERN_LENGTH} characters")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeError) as error:
        raise BadPattern(str(error)) from error


def is_found(pattern: str, text: str) -> bool:
    """Whether a pattern is found anywhere in a text. Raises BadPattern."""
    return _compiled(pattern).search(text.encode("utf-8", "replace").decode()) is not None
