"""Which of several choices are worth considering where less cost and more quality are both wanted."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def efficient(points: Mapping[Key, tuple[float, float]]) -> list[Key]:
    """The keys of the (cost, quality) points that no other beats, the cheapest first (the Pareto front).

    A point is beaten by one that costs no more, is no worse, and is better in at least one of both.
    """
    found: list[Key] = []
    best: float | None = None
    at: float | None = None
    for key, (cost, quality) in sorted(points.items(), key=lambda entry: (entry[1][0], -entry[1][1])):
        if best is None or quality > best or (quality == best and cost == at):
            found.append(key)
            best, at = quality, cost
    return found
