"""Figures of textbooks by other ways than those of the studio, for tests that hold the two against each other."""

from functools import cache
from math import gamma, pi, sqrt


def tail(t, freedom, steps=20_000):
    """The two-sided tail of Student's t, by adding up its density."""
    scale = gamma((freedom + 1) / 2) / (sqrt(freedom * pi) * gamma(freedom / 2))
    width = t / steps
    inner = sum((1 + ((at + 0.5) * width) ** 2 / freedom) ** (-(freedom + 1) / 2) for at in range(steps))
    return 1 - 2 * scale * inner * width


@cache
def quantile(freedom):
    """What Student's t exceeds on either side five times in a hundred, by halving an interval."""
    low, high = 0.0, 50.0
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, freedom, 4000) > 0.05 else (low, middle)
    return low
