"""Krippendorff's alpha: how far any number of raters agree, also where some rated only a part.

Krippendorff, K. (2011), Computing Krippendorff's alpha-reliability; the coincidences of values and both measures of
distance are those of its sections C and D.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

Distance = Callable[[float, float], float]


def nominal(one: float, other: float) -> float:
    """Values are equal or not."""
    return float(one != other)


def interval(one: float, other: float) -> float:
    """Values are as far apart as their difference squared."""
    return (one - other) ** 2


def alpha(units: Iterable[Sequence[float]], distance: Distance = nominal) -> float | None:
    """Alpha of what was said of each unit, by those who rated it: 1 where all agree, 0 where they do as by chance.

    Units with fewer than two values do not count. None where nothing is left, or all values are the same.
    """
    rated = [Counter(unit) for unit in units if len(unit) > 1]
    totals: Counter[float] = sum(rated, Counter())
    seen = sum(_apart(unit, distance) / (unit.total() - 1) for unit in rated)
    expected = _apart(totals, distance)
    return 1 - (totals.total() - 1) * seen / expected if expected else None


def _apart(values: Counter[float], distance: Distance) -> float:
    """The sum of the distances of all pairs of values, each pair once."""
    return sum(values[one] * values[other] * distance(one, other) for one, other in combinations(values, 2))
