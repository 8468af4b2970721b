"""What several trials say of a task: verdicts, unbiased estimates and intervals (task-suite 6)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, floor, prod, sqrt
from typing import Literal

Verdict = Literal["pass", "fail", "incomplete"]
Interval = tuple[float, float]

# Confidence to the number of standard deviations on either side.
LEVELS = {0.90: 1.6448536269514722, 0.95: 1.959963984540054, 0.99: 2.5758293035489004}
PASSED, FAILED = "passed", "failed"
METRICS = ("pass@k", "pass^k")
# From here on products are used in place of exact binomials.
_EXACT = 1000


def verdict(k: int, metric: str, states: Iterable[str]) -> Verdict:
    """What the first k valid trials say, in order: `pass@k` wants one to pass, `pass^k` all of them.

    States other than passed and failed are not valid and do not count. A verdict that is certain already is given
    before k trials are there.
    """
    valid = [state for state in states if state in (PASSED, FAILED)][:k]
    if metric == "pass@k":
        if PASSED in valid:
            return "pass"
        return "fail" if len(valid) == k else "incomplete"
    if FAILED in valid:
        return "fail"
    return "pass" if len(valid) == k else "incomplete"


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """The chance that at least one of k trials passes, unbiased, from c passes in n trials; None for n < k."""
    if n < k:
        return None
    if n - c < k:
        return 1.0
    if n <= _EXACT:
        return 1 - comb(n - c, k) / comb(n, k)
    return 1 - prod(1 - k / i for i in range(n - c + 1, n + 1))


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """The chance that all of k trials pass, unbiased, from c passes in n trials; None for n < k."""
    if n < k:
        return None
    if n <= _EXACT:
        return comb(c, k) / comb(n, k)
    return prod((c - i) / (n - i) for i in range(k)) if c >= k else 0.0


def estimate(metric: str, n: int, c: int, k: int) -> float | None:
    """The estimate of a metric by its name."""
    return (pass_at_k if metric == "pass@k" else pass_hat_k)(n, c, k)


def wilson(c: int, n: int, level: float = 0.95) -> Interval | None:
    """The Wilson score interval of a rate of c in n; None without trials. Raises KeyError for an unknown level."""
    if n < 1:
        return None
    z, share = LEVELS[level], c / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    low = 0.0 if c == 0 else max(0.0, centre - half)
    high = 1.0 if c == n else min(1.0, centre + half)
    return low, high


def interval(metric: str, c: int, n: int, k: int, level: float = 0.95) -> Interval | None:
    """The interval of a metric: that of the rate of passing, carried through the formula of k trials."""
    bounds = wilson(c, n, level)
    if bounds is None:
        return None
    low, high = bounds
    if metric == "pass@k":
        return 1 - (1 - low) ** k, 1 - (1 - high) ** k
    return low**k, high**k


def suite_mean(metric: str, tasks: Iterable[tuple[int, int, int]]) -> float | None:
    """The plain mean of the estimates over tasks of (n, c, k); those with too few trials are left out."""
    known = [value for n, c, k in tasks if (value := estimate(metric, n, c, k)) is not None]
    return sum(known) / len(known) if known else None


def percentile(values: Sequence[float], q: float) -> float | None:
    """The value below which a share q (0 to 1) lies, linear between ranks; None without values."""
    if not values:
        return None
    ordered = sorted(values)
    place = (len(ordered) - 1) * q
    below = floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def is_flaky(states: Iterable[str]) -> bool:
    """Whether valid trials of one task disagree."""
    return {PASSED, FAILED} <= set(states)


@dataclass(frozen=True, slots=True)
class Tally:
    """What the trials of one task say together; `states` are theirs in order."""

    metric: str
    k: int
    states: tuple[str, ...]

    @property
    def name(self) -> str:
        """The metric with its number, such as pass^3."""
        return self.metric.replace("k", str(self.k))

    @property
    def verdict(self) -> Verdict:
        return verdict(self.k, self.metric, self.states)

    @property
    def n(self) -> int:
        """How many trials are valid."""
        return self.states.count(PASSED) + self.states.count(FAILED)

    @property
    def c(self) -> int:
        """How many trials passed."""
        return self.states.count(PASSED)

    @property
    def estimate(self) -> float | None:
        return estimate(self.metric, self.n, self.c, self.k)

    @property
    def interval(self) -> Interval | None:
        return interval(self.metric, self.c, self.n, self.k)

    @property
    def is_flaky(self) -> bool:
        return is_flaky(self.states)
