"""How large a difference between two agents a plan finds, and what would decide one that was seen.

Both agents try the same cases. The mean of the cases' differences has the variance (between + within / trials) / cases,
where `between` is the variance of the true differences of cases, and `within` that of a single trial of both agents
around them (Miller 2024, "Adding error bars to evals", sections 3 and 5).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean, variance

from runs.statistics.estimates import t_quantile

# How often a difference of the size that a plan "finds" is found at 5 % significance.
POWER = 0.8
_POWER_ERRORS = NormalDist().inv_cdf(POWER)
MOST_CASES, MOST_TRIALS = 1_000_000, 10_000


@dataclass(frozen=True, slots=True)
class Moments:
    """The values of one agent's trials of a case: how many, their sum, and the sum of their squares."""

    count: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        return self.total / self.count

    @property
    def deviations(self) -> float:
        """The sum of squared deviations from the mean."""
        return max(0.0, self.squares - self.total * self.mean)


@dataclass(frozen=True, slots=True)
class Spread:
    """Variances of the differences of two agents, seen in so many `cases`.

    Where no case had several trials of both, `within` is 0 and `between` holds what both make together: then nothing
    says what more trials would bring, and `has_repeats` is false.
    """

    between: float
    within: float
    cases: int
    has_repeats: bool

    def error(self, cases: int, trials: int) -> float:
        """The standard error of the mean difference over so many cases with so many trials each."""
        return sqrt((self.between + self.within / trials) / cases)


# Two agents that each pass every other case, independently of each other: of passes, no two that are alike vary more.
WIDEST = Spread(0.5, 0.0, 0, False)


@dataclass(frozen=True, slots=True)
class Needed:
    """What would show a difference of passed trials: so many trials of each case, or so many cases with as many trials.

    None where no number up to the largest that is looked at would.
    """

    difference: float
    trials: int | None
    cases: int | None


def moments(values: Iterable[float]) -> Moments:
    listed = list(values)
    return Moments(len(listed), sum(listed), sum(value * value for value in listed))


def spread_of(pairs: Sequence[tuple[Moments, Moments]]) -> Spread | None:
    """The variances of what two agents differ by, a pair a case; None for less than two cases."""
    if len(pairs) < 2:
        return None
    seen = variance(other.mean - base.mean for base, other in pairs)
    sides = [_within(base for base, _ in pairs), _within(other for _, other in pairs)]
    if None in sides:
        return Spread(seen, 0.0, len(pairs), has_repeats=False)
    base_within, other_within = (side or 0.0 for side in sides)
    noise = fmean(base_within / base.count + other_within / other.count for base, other in pairs)
    return Spread(max(0.0, seen - noise), base_within + other_within, len(pairs), has_repeats=True)


def _within(cases: Iterable[Moments]) -> float | None:
    """The variance of single trials around their cases, of all cases together; None without several trials."""
    several = [case for case in cases if case.count > 1]
    freedom = sum(case.count - 1 for case in several)
    return sum(case.deviations for case in several) / freedom if freedom else None


def smallest_difference(spread: Spread, cases: int, trials: int) -> float | None:
    """The smallest true difference that a paired test at 5 % finds with the chance POWER; None for less than two cases.

    The test takes Student's t with as many degrees of freedom as cases less one, the chance of finding it the normal
    distribution.
    """
    if cases < 2 or trials < 1:
        return None
    return (t_quantile(cases - 1) + _POWER_ERRORS) * spread.error(cases, trials)


def needed(spread: Spread, difference: float, cases: int, trials: int) -> Needed | None:
    """What would show a difference if it is as large as it looks.

    None without two cases or a difference, and where what is there suffices.
    """
    size = abs(difference)
    if not size or cases < 2 or trials < 1:
        return None
    if (smallest_difference(spread, cases, trials) or 0.0) <= size:
        return None

    def is_found(cases: int, trials: int) -> bool:
        found = smallest_difference(spread, cases, trials)
        return found is not None and found <= size

    more = _least(trials, MOST_TRIALS, lambda count: is_found(cases, count)) if spread.has_repeats else None
    return Needed(difference, more, _least(cases, MOST_CASES, lambda count: is_found(count, trials)))


def _least(low: int, high: int, holds: Callable[[int], bool]) -> int | None:
    """The least number from `low` to `high` from which on something holds; None where it does not up to `high`."""
    if not holds(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
