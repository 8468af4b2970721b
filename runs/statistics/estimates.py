"""What several trials say of a task: verdicts, unbiased estimates and intervals (task-suite 6, agentv E.3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan, comb, cos, floor, pi, prod, sin, sqrt
from statistics import NormalDist, fmean, stdev
from typing import Literal, NamedTuple

Verdict = Literal["pass", "fail", "incomplete"]
Interval = tuple[float, float]

# Confidence to the number of standard deviations on either side.
LEVELS = {0.90: 1.6448536269514722, 0.95: 1.959963984540054, 0.99: 2.5758293035489004}
PASSED, FAILED = "passed", "failed"
# The state of a trial that its pack did not want begun any more; nothing waits for it.
LEFT_OUT = "left_out"
METRICS = ("pass@k", "pass^k")
# The rule of a task whose pack says none: its first valid trial decides.
FIRST = "pass^k"
# Rules that join the scores of trials, with the word for what they give.
MEANS = {"mean": "mean", "confidence_interval": "95% lower bound"}
# From here on products are used in place of exact binomials.
_EXACT = 1000
# From here on quantiles of Student's t come from an expansion.
MANY_FREEDOM = 300


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


def wilson(c: float, n: int, level: float = 0.95) -> Interval | None:
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


def joined_score(rule: str, scores: Sequence[float]) -> float | None:
    """The score of several trials: their `mean`, or the lower bound of its 95% interval, within 0 and 1.

    A single trial has no interval, so its score stands; None without any.
    """
    if not scores:
        return None
    bounds = score_interval(scores)
    return fmean(scores) if rule == "mean" or bounds is None else bounds[0]


def score_interval(scores: Sequence[float]) -> Interval | None:
    """The 95% interval of the mean of scores by Student's t, within 0 and 1; None for less than two."""
    if len(scores) < 2:
        return None
    mean, half = fmean(scores), t_quantile(len(scores) - 1) * stdev(scores) / sqrt(len(scores))
    return min(1.0, max(0.0, mean - half)), max(0.0, min(1.0, mean + half))


@lru_cache(maxsize=256)
def t_quantile(freedom: int, level: float = 0.95) -> float:
    """How many standard errors on either side hold a share `level` of Student's t with so many degrees of freedom.

    The share takes as many steps as half of these, so many of them are left to an expansion around the normal
    distribution, right to 1e-11 from MANY_FREEDOM on (Abramowitz and Stegun 26.7.5).
    """
    if freedom >= MANY_FREEDOM:
        x = NormalDist().inv_cdf((1 + level) / 2)
        terms = (
            x,
            (x**3 + x) / 4,
            (5 * x**5 + 16 * x**3 + 3 * x) / 96,
            (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
            (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
        )
        return sum((term / float(freedom) ** power for power, term in enumerate(terms)), 0.0)
    low, high = 0.0, 1.0
    while t_share(high, freedom) < level:
        low, high = high, high * 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if t_share(middle, freedom) < level else (low, middle)
    return high


def t_share(t: float, freedom: int) -> float:
    """The share of Student's t between -t and t (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = atan(t / sqrt(freedom))
    is_odd = freedom % 2
    term = total = cos(angle) if is_odd else 1.0
    for step in range(2 + is_odd, freedom - 1, 2):
        term *= cos(angle) ** 2 * (step - 1) / step
        total += term
    if not is_odd:
        return sin(angle) * total
    return 2 / pi * (angle + (sin(angle) * total if freedom > 1 else 0.0))


@dataclass(frozen=True, slots=True)
class ScoreEstimate:
    """What the scores of one task's trials say together by a rule of `MEANS`.

    `trials` are states and scores in order. The first k valid ones count; without a score they count as 0.
    """

    rule: str
    k: int
    threshold: float
    trials: tuple[tuple[str, float | None], ...]

    @property
    def name(self) -> str:
        return MEANS[self.rule]

    @property
    def scores(self) -> list[float]:
        """The scores that count."""
        return [score or 0.0 for state, score in self.trials if state in (PASSED, FAILED)][: self.k]

    @property
    def n(self) -> int:
        """How many trials are valid."""
        return sum(state in (PASSED, FAILED) for state, _ in self.trials)

    @property
    def c(self) -> int:
        """How many trials passed."""
        return sum(state == PASSED for state, _ in self.trials)

    @property
    def score(self) -> float | None:
        return joined_score(self.rule, self.scores)

    @property
    def estimate(self) -> float | None:
        return self.score

    @property
    def interval(self) -> Interval | None:
        return score_interval(self.scores)

    @property
    def verdict(self) -> Verdict:
        score = self.score
        if score is None or len(self.scores) < self.k:
            return "incomplete"
        return "pass" if score >= self.threshold else "fail"

    @property
    def is_flaky(self) -> bool:
        return is_flaky(state for state, _ in self.trials)

    @property
    def described(self) -> str:
        """What was found, in short."""
        score = self.score
        return "no score" if score is None else f"{score:.2f} of {len(self.scores)}"


@dataclass(frozen=True, slots=True)
class PassEstimate:
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
    def described(self) -> str:
        """What was found, in short."""
        return f"{self.c} of {self.n}"

    @property
    def estimate(self) -> float | None:
        return estimate(self.metric, self.n, self.c, self.k)

    @property
    def interval(self) -> Interval | None:
        return interval(self.metric, self.c, self.n, self.k)

    @property
    def is_flaky(self) -> bool:
        return is_flaky(self.states)


# What the trials of a task say together; both have name, verdict, described, n, c, estimate, interval and is_flaky.
Joined = ScoreEstimate | PassEstimate


def joined(rule: str, k: int, threshold: float | None, trials: Sequence[tuple[str, float | None]]) -> Joined | None:
    """What trials say of their task by a rule of its pack; `trials` are their states and scores in order.

    Trials that were left out are not waited for. None for a rule that is not about several trials, or one about scores
    where no threshold is known.
    """
    states = tuple(state for state, _ in trials)
    tried = len(states) - states.count(LEFT_OUT)
    wanted = max(1, min(k, tried)) if tried < len(states) else k
    if rule in METRICS:
        return PassEstimate(rule, wanted, states)
    if rule in MEANS and threshold is not None:
        return ScoreEstimate(rule, wanted, threshold, tuple(trials))
    return None


def joined_or_first(rule: str, k: int, threshold: float | None, trials: Sequence[tuple[str, float | None]]) -> Joined:
    """What trials say of their task by a rule of its pack, as `joined`; without one the first valid trial decides."""
    return joined(rule, k, threshold, trials) or PassEstimate(FIRST, 1, tuple(state for state, _ in trials))


class Said(NamedTuple):
    """What trials say of a task, without their estimate."""

    verdict: Verdict
    is_flaky: bool


def said(rule: str, k: int, threshold: float | None, trials: Iterable[tuple[str, float | None]]) -> Said:
    """The same in short, for very many tasks: most of them end in one of a few ways."""
    # Rules other than these do not look at scores, and few ways to end are left without them.
    return _said(rule, k, threshold, tuple(trials) if rule in MEANS else tuple([(state, None) for state, _ in trials]))


@lru_cache(maxsize=4096)
def _said(rule: str, k: int, threshold: float | None, trials: tuple[tuple[str, float | None], ...]) -> Said:
    found = joined_or_first(rule, k, threshold, trials)
    return Said(found.verdict, found.is_flaky)
