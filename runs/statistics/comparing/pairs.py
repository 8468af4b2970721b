"""Whether two columns differ by more than chance in which cases pass or in their scores, case by case."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import TypeVar

from runs.statistics.clusters import ROUNDING, ClusteredMean, clustered_mean
from runs.statistics.comparing.cells import Cell
from runs.statistics.comparing.corrections import holm
from runs.statistics.estimates import Interval, t_share, wilson

SIGNIFICANT = 0.05
# The exact test cannot fall below 0.05 with fewer differing cases: 2 / 2**5 is 0.0625.
LEAST_DIFFERING = 6


@dataclass(frozen=True)
class Pairs:
    """Cases that base and column both decided: passed in both, only the base, only the column, or neither.

    `corrected` is the p-value in view of the other columns that are compared with the same base; None alone.
    """

    both: int = 0
    regressed: int = 0
    fixed: int = 0
    neither: int = 0
    corrected: float | None = None

    @property
    def n(self) -> int:
        return self.both + self.regressed + self.fixed + self.neither

    @property
    def delta(self) -> float | None:
        """How much the share of passed cases grew, from -1 to 1; None without pairs."""
        return (self.fixed - self.regressed) / self.n if self.n else None

    @cached_property
    def interval(self) -> Interval | None:
        """The 95% interval of the delta; None without pairs (Newcombe 1998, paired data, method 10)."""
        if not self.n:
            return None
        now, before = self.both + self.fixed, self.both + self.regressed
        (low, high), (low_before, high_before) = wilson(now, self.n) or (0, 0), wilson(before, self.n) or (0, 0)
        share, share_before, delta = now / self.n, before / self.n, self.delta or 0.0
        down, up = share - low, high - share
        down_before, up_before = share_before - low_before, high_before - share_before
        joint = self._correlation()
        below = down * down - 2 * joint * down * up_before + up_before * up_before
        above = up * up - 2 * joint * up * down_before + down_before * down_before
        return delta - sqrt(max(0.0, below)), delta + sqrt(max(0.0, above))

    def _correlation(self) -> float:
        """The correlation of both sides, with Newcombe's correction for continuity where it is positive."""
        margins = (
            (self.both + self.fixed)
            * (self.regressed + self.neither)
            * (self.both + self.regressed)
            * (self.fixed + self.neither)
        )
        if not margins:
            return 0.0
        cross = self.both * self.neither - self.regressed * self.fixed
        return (max(cross - self.n / 2, 0.0) if cross > 0 else cross) / sqrt(margins)

    @cached_property
    def p_value(self) -> float:
        """The chance of at least such a difference between equal agents, two-sided (McNemar's test, exact)."""
        differing, fewer = self.regressed + self.fixed, min(self.regressed, self.fixed)
        term = total = 1
        for drawn in range(1, fewer + 1):
            term = term * (differing - drawn + 1) // drawn
            total += term
        return min(1.0, 2 * total / (1 << differing))

    @property
    def chance(self) -> float:
        """The p-value that decides: the corrected one where there are other columns."""
        return self.p_value if self.corrected is None else self.corrected

    @property
    def says(self) -> str:
        """`nothing` without pairs, `equal` where none differs, `too_few` where no outcome could tell, `unclear`,
        `better` or `worse`."""
        if not self.n:
            return "nothing"
        if self.regressed + self.fixed < LEAST_DIFFERING:
            return "too_few" if self.regressed + self.fixed else "equal"
        if self.chance >= SIGNIFICANT:
            return "unclear"
        return "better" if self.fixed > self.regressed else "worse"

    @property
    def is_decided(self) -> bool:
        """Whether more trials or cases would not be needed to tell the columns apart."""
        return self.says not in ("too_few", "unclear")


def pairs_of(cells: Iterable[tuple[Cell | None, Cell | None]]) -> Pairs:
    """Count cases, each with its base first; those without a verdict on either side are left out."""
    telling = ((base, other) for base, other in cells if base and other and base.is_telling and other.is_telling)
    return counted_pairs((base.verdict == "pass", other.verdict == "pass") for base, other in telling)


def counted_pairs(passes: Iterable[tuple[bool, bool]]) -> Pairs:
    """Count whether each case passes, in the base and in the column."""
    counts = Counter(passes)
    return Pairs(counts[True, True], counts[True, False], counts[False, True], counts[False, False])


@dataclass(frozen=True, slots=True)
class ScorePairs:
    """The mean difference of the scores of cases that both sides scored, column less base; `corrected` as in Pairs."""

    mean: ClusteredMean
    corrected: float | None = None

    @property
    def p_value(self) -> float:
        """The chance of at least such a mean between equal agents, two-sided (paired t test).

        Differences that are all the same show no spread, so that their sign is tested (exact sign test).
        """
        if self.mean.error is None:
            return 1.0 if abs(self.mean.mean) <= ROUNDING else 2.0 ** (1 - self.mean.clusters)
        return max(0.0, 1 - t_share(abs(self.mean.mean) / self.mean.error, self.mean.clusters - 1))

    @property
    def chance(self) -> float:
        """The p-value that decides, as in Pairs."""
        return self.p_value if self.corrected is None else self.corrected


Compared = TypeVar("Compared", Pairs, ScorePairs)


def score_pairs_of(cells: Iterable[tuple[Cell | None, Cell | None]]) -> ScorePairs | None:
    """The differences of scores, each with its base first; None where no case has a score on both sides."""
    return clustered_pairs_of(
        [other.score - base.score]
        for base, other in cells
        if base and other and base.score is not None and other.score is not None
    )


def clustered_pairs_of(differences: Iterable[Sequence[float]]) -> ScorePairs | None:
    """The same of the differences of the trials of each case, which vary together; None without any."""
    mean = clustered_mean((sum(each), len(each)) for each in differences)
    return ScorePairs(mean) if mean else None


def corrected(found: Sequence[Compared | None]) -> list[Compared | None]:
    """The comparisons of several columns with one base, with their chances in view of each other."""
    chances = {at: each.p_value for at, each in enumerate(found) if each is not None}
    if len(chances) < 2:
        return list(found)
    by_place = dict(zip(chances, holm(list(chances.values())), strict=True))
    return [replace(each, corrected=by_place[at]) if each and at in by_place else each for at, each in enumerate(found)]
