"""Means of trials that belong together: several trials of one case say less than trials of as many cases."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from runs.statistics.estimates import Interval, t_quantile

# Sums of equal numbers differ by no larger share of their size.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class ClusteredMean:
    """The mean of all values, each as heavy as the others, with its standard error over `clusters` independent cases.

    The error is the cluster-robust one: the root of G / (G - 1) times the sum, over the G clusters, of the square of
    what a cluster's values lie above the mean together, divided by the number of values. With one value a cluster it
    is the usual standard error (Cameron and Miller 2015, section 2; Miller 2024, section 2.2). None for one cluster,
    and where all clusters have the same mean: what does not vary in a sample shows no spread to estimate from.
    """

    mean: float
    count: int
    clusters: int
    error: float | None

    @property
    def interval(self) -> Interval | None:
        """The 95% interval by Student's t with as many degrees of freedom as clusters less one; None without."""
        if self.error is None:
            return None
        half = t_quantile(self.clusters - 1) * self.error
        return self.mean - half, self.mean + half


def clustered_mean(clusters: Iterable[tuple[float, int]]) -> ClusteredMean | None:
    """The mean of values of which each cluster gives the sum and the number; None without values."""
    known = [(total, count) for total, count in clusters if count]
    number = sum(count for _, count in known)
    if not number:
        return None
    mean = sum(total for total, _ in known) / number
    several = len(known)
    squares = sum((total - count * mean) ** 2 for total, count in known)
    varies = squares > (ROUNDING * sum(abs(total) for total, _ in known)) ** 2
    error = sqrt(squares * several / (several - 1)) / number if varies else None
    return ClusteredMean(mean, number, several, error)
