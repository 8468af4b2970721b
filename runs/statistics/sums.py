"""Sums of which parts may not be known, such as costs."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sum:
    """What the known parts come to, None where none is known, and how many parts are not known."""

    known: float | None
    unknown: int = 0


def summed(parts: Iterable[float | None]) -> Sum:
    """The sum of parts, those apart that are not known."""
    listed = list(parts)
    known = [part for part in listed if part is not None]
    return Sum(sum(known) if known else None, len(listed) - len(known))
