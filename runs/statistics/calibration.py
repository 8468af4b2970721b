"""A judge against people: how often they say the same, and how far that is beyond chance.

Fleiss, J. L., Cohen, J. and Everitt, B. S. (1969), Large sample standard errors of kappa and weighted kappa.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Literal

from runs.statistics.agreement import cohen
from runs.statistics.estimates import LEVELS, Interval
from runs.statistics.reliability import alpha, interval
from runs.statistics.shares import Shares

# With fewer trials that people labelled, a kappa says nothing of the judge.
LEAST_LABELLED = 10
Standing = Literal["unknown", "few", "agrees", "doubtful"]


@dataclass(frozen=True, slots=True)
class Judged:
    """What people and the judge said of one trial; scores from 0 to 1, None where one gave none."""

    people_pass: bool
    judge_passes: bool
    people_score: float | None = None
    judge_score: float | None = None

    @property
    def agrees(self) -> bool:
        return self.people_pass == self.judge_passes


@dataclass(frozen=True)
class Confusion:
    """Trials by what people and the judge said: both pass, only the judge, only people, neither."""

    both_pass: int = 0
    judge_only: int = 0
    people_only: int = 0
    both_fail: int = 0

    @property
    def n(self) -> int:
        return self.both_pass + self.judge_only + self.people_only + self.both_fail

    @property
    def true_positives(self) -> Shares:
        """What the judge passes of the trials that people pass (sensitivity)."""
        return _part(self.both_pass, self.people_only)

    @property
    def true_negatives(self) -> Shares:
        """What the judge fails of the trials that people fail (specificity)."""
        return _part(self.both_fail, self.judge_only)

    @property
    def agreed(self) -> Shares:
        """The trials of which both say the same."""
        return _part(self.both_pass + self.both_fail, self.judge_only + self.people_only)

    @property
    def base_rate(self) -> Shares:
        """What people pass of all. Near 0 or 1 a low kappa can stand beside a high agreement."""
        return _part(self.both_pass + self.people_only, self.judge_only + self.both_fail)

    @cached_property
    def kappa(self) -> float | None:
        """Cohen's kappa; None without trials, and where both say the same of all."""
        said = [*[(1, 1)] * self.both_pass, *[(0, 1)] * self.judge_only]
        said += [*[(1, 0)] * self.people_only, *[(0, 0)] * self.both_fail]
        return cohen(said) if said else None

    @cached_property
    def kappa_interval(self) -> Interval | None:
        """The 95% interval of kappa (Fleiss, Cohen and Everitt 1969, formula 13), within -1 and 1; None without one."""
        error = kappa_error([[self.both_pass, self.people_only], [self.judge_only, self.both_fail]], self.kappa)
        if error is None or self.kappa is None:
            return None
        half = LEVELS[0.95] * error
        return max(-1.0, self.kappa - half), min(1.0, self.kappa + half)

    def standing(self, least: float) -> Standing:
        """Whether the judge reaches a least kappa; `few` where too few trials are labelled to say so.

        Where both say the same of all there is no kappa, and the judge agrees.
        """
        if self.n < LEAST_LABELLED:
            return "few" if self.n else "unknown"
        if self.kappa is None:
            return "agrees"
        return "agrees" if self.kappa >= least else "doubtful"


def _part(yes: int, no: int) -> Shares:
    return Shares(yes, yes + no, yes + no)


def kappa_error(table: Sequence[Sequence[int]], kappa: float | None) -> float | None:
    """The standard error of kappa of a square table of counts; None without trials or kappa."""
    total = sum(map(sum, table))
    if not total or kappa is None:
        return None
    shares = [[count / total for count in row] for row in table]
    rows = [sum(row) for row in shares]
    columns: list[float] = [sum(column) for column in zip(*shares, strict=True)]
    chance, rest = sum(row * column for row, column in zip(rows, columns, strict=True)), 1 - kappa
    places = range(len(table))
    agreed = sum(shares[at][at] * (1 - (rows[at] + columns[at]) * rest) ** 2 for at in places)
    apart = sum(
        shares[one][other] * (columns[one] + rows[other]) ** 2 for one in places for other in places if one != other
    )
    variance = agreed + rest**2 * apart - (kappa - chance * rest) ** 2
    return sqrt(max(0.0, variance) / total) / (1 - chance)


def confusion_of(judged: Iterable[Judged]) -> Confusion:
    """The trials counted."""
    counts = {(True, True): 0, (False, True): 0, (True, False): 0, (False, False): 0}
    for each in judged:
        counts[each.people_pass, each.judge_passes] += 1
    return Confusion(*counts.values())


def verdict_alpha(judged: Iterable[Judged]) -> float | None:
    """Krippendorff's alpha of judge and people by verdicts; None where all are the same."""
    return alpha((each.people_pass, each.judge_passes) for each in judged)


def score_alpha(judged: Iterable[Judged]) -> float | None:
    """Krippendorff's alpha of judge and people by scores, over trials that both scored; None where there are none."""
    scored = ((each.people_score, each.judge_score) for each in judged)
    return alpha(((one, other) for one, other in scored if one is not None and other is not None), interval)
