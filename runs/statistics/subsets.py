"""Fewer cases: which decide between two agents, and the smallest set that ranks agents as all cases do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from runs.statistics.clusters import clustered_mean
from runs.statistics.comparing.pairs import counted_pairs
from runs.statistics.estimates import Interval
from runs.statistics.items import Matrix, means_of

# Cases that a small set may have at most, and differences of pass rates that are no order.
MOST_CHOSEN = 60
MOST_CANDIDATES = 150
TIE = 1e-9


@dataclass(frozen=True, slots=True)
class Duel:
    """Two agents at the cases that both were judged at. `gaps` are the places of cases at which they differ, with how
    much more often the first passes; the largest first. `difference` is the mean over all `count` shared cases.
    """

    first: int
    second: int
    gaps: Sequence[tuple[int, float]]
    count: int
    difference: float
    interval: Interval | None

    @property
    def is_decided(self) -> bool:
        """Whether the interval of the difference leaves 0 out."""
        return self.interval is not None and not self.interval[0] <= 0 <= self.interval[1]


def duel(matrix: Matrix, first: int, second: int) -> Duel | None:
    """How two agents differ, case by case; None without a shared case.

    The interval is that of pairs where every case is passed always or never, as in comparisons of runs; else it is
    Student's t over cases, None where all cases differ by the same.
    """
    rates = {
        place: (one, other)
        for place, row in enumerate(matrix.rates)
        if (one := row[first]) is not None and (other := row[second]) is not None
    }
    gaps = [(place, one - other) for place, (one, other) in rates.items()]
    mean = clustered_mean((gap, 1) for _, gap in gaps)
    if mean is None:
        return None
    bounds = mean.interval
    if all(rate in (0, 1) for both in rates.values() for rate in both):
        bounds = counted_pairs((other == 1, one == 1) for one, other in rates.values()).interval
    telling = sorted((pair for pair in gaps if abs(pair[1]) > TIE), key=lambda pair: -abs(pair[1]))
    return Duel(first, second, telling, mean.count, mean.mean, bounds)


@dataclass(frozen=True, slots=True)
class SmallSet:
    """Cases by their places, in the order in which they were chosen. `error` is the largest difference between an
    agent's pass rate in them and in all cases. `kept` is the share of pairs of agents that they rank as all cases do.

    `checked` is the same for a set of this size chosen from half of the trials, seen in the other half; None where
    cells have one trial.
    """

    places: Sequence[int]
    error: float
    kept: float
    checked: tuple[float, float] | None


def smallest_set(matrix: Matrix) -> SmallSet | None:
    """The smallest set that greedy choice finds to rank agents as all cases do; None for less than two agents.

    Each step takes the case that brings the pass rates of the agents nearest to those over all cases. Where no set of
    MOST_CHOSEN cases keeps the whole ranking, it is the one that keeps most of it.
    """
    target = means_of(matrix.rates)
    if sum(value is not None for value in target) < 2:
        return None
    best: tuple[float, list[int]] = (-1.0, [])
    for places in greedy(matrix):
        kept = agreement(means_of(matrix.only(places).rates), target)
        if kept > best[0]:
            best = (kept, list(places))
        if kept == 1:
            break
    kept, places = best
    found = means_of(matrix.only(places).rates)
    return SmallSet(places, largest(found, target), kept, _checked(matrix, len(places)))


def _checked(matrix: Matrix, size: int) -> tuple[float, float] | None:
    """Error and kept ranking of a set chosen from half of the trials, in the other half."""
    seen, unseen = matrix.halves()
    target = means_of(unseen.rates)
    if sum(value is not None for value in target) < 2:
        return None
    places = list(greedy(seen, size))[-1]
    found = means_of(unseen.only(places).rates)
    return largest(found, target), agreement(found, target)


def greedy(matrix: Matrix, most: int = MOST_CHOSEN) -> Iterator[list[int]]:
    """Sets that grow by one case, each as near to the pass rates over all cases as one more case brings it."""
    rates = matrix.rates
    target = means_of(rates)
    left = _candidates(rates)
    sums, counts = [0.0] * len(target), [0] * len(target)
    chosen: list[int] = []
    while left and len(chosen) < most:
        nearest = min(left, key=lambda at: _distance(rates[at], sums, counts, target))
        left.remove(nearest)
        chosen.append(nearest)
        for agent, value in enumerate(rates[nearest]):
            if value is not None:
                sums[agent] += value
                counts[agent] += 1
        yield list(chosen)


def _candidates(rates: Sequence[Sequence[float | None]]) -> list[int]:
    """The places of cases to choose from: of very many, as many as MOST_CANDIDATES from the hardest to the easiest."""
    means = [(fmean(known), at) for at, row in enumerate(rates) if (known := [one for one in row if one is not None])]
    step = max(1.0, len(means) / MOST_CANDIDATES)
    ordered = [at for _, at in sorted(means)]
    return sorted(ordered[int(place * step)] for place in range(min(len(ordered), MOST_CANDIDATES)))


def _distance(
    row: Sequence[float | None], sums: Sequence[float], counts: Sequence[int], target: Sequence[float | None]
) -> float:
    """The sum of squares between what agents would have with one more case and what they should have."""
    total = 0.0
    for value, known, count, wanted in zip(row, sums, counts, target, strict=True):
        if wanted is None:
            continue
        if value is not None:
            total += ((known + value) / (count + 1) - wanted) ** 2
        else:
            total += (known / count - wanted) ** 2 if count else 1.0
    return total


def agreement(found: Sequence[float | None], target: Sequence[float | None]) -> float:
    """The share of pairs of agents that differ in the target which stand in the same order; 1 without such.

    What was not found of an agent is no order.
    """
    known = [(one, wanted) for one, wanted in zip(found, target, strict=True) if wanted is not None]
    pairs = [
        one is not None and other is not None and (one - other) * (wanted - other_wanted) > TIE
        for place, (one, wanted) in enumerate(known)
        for other, other_wanted in known[:place]
        if abs(wanted - other_wanted) > TIE
    ]
    return sum(pairs) / len(pairs) if pairs else 1.0


def largest(found: Sequence[float | None], target: Sequence[float | None]) -> float:
    """The largest difference between two lists of pass rates."""
    both = zip(found, target, strict=True)
    return max((abs(one - other) for one, other in both if one is not None and other is not None), default=0.0)
