"""Patterns of ECMAScript: whether they can be used at all. Searching is the graders' matter, which limit its time."""

from functools import lru_cache

from regress import Regex, RegressError

MAX_PATTERN_LENGTH = 10_000


@lru_cache(maxsize=512)
def pattern_trouble(source: str, flags: str = "") -> str:
    """Why a pattern with its flags cannot be used; empty where it can. Never raises."""
    if len(source) > MAX_PATTERN_LENGTH:
        return f"it has {len(source)} characters; at most {MAX_PATTERN_LENGTH} are taken"
    try:
        Regex(source.encode("utf-8", "replace").decode(), flags)
    except (RegressError, ValueError) as error:
        return str(error)
    return ""
