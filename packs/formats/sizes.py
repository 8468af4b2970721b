"""Sizes of memory as container engines write them: a number, and a unit of 1024 of the one before."""

import re

# A size above 0, as schemas ask for it too.
PATTERN = r"^\s*(0*[1-9][0-9]*(?:\.[0-9]+)?|0+\.0*[1-9][0-9]*) ?(?:([kKmMgGtT])[iI]?)?[bB]?\s*$"
_SIZE = re.compile(PATTERN)
_UNITS = "kmgt"


def bytes_of(text: object) -> int | None:
    """The bytes that a text such as 512m, 1.5g or 2GiB means; None for what is no size above 0."""
    found = _SIZE.match(text) if isinstance(text, str) else None
    if found is None:
        return None
    power = _UNITS.index(found[2].lower()) + 1 if found[2] else 0
    return int(float(found[1]) * 1024**power) or None
