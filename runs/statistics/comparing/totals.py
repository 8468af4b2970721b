"""What the cases and trials of one column add up to."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import fmean, median_low

from runs.statistics.comparing.cells import Cell, Sample
from runs.statistics.comparing.pairs import Pairs, ScorePairs, corrected, pairs_of, score_pairs_of
from runs.statistics.comparing.rows import ComparedCase
from runs.statistics.estimates import FAILED, PASSED
from runs.statistics.planning import Moments, Needed, needed, spread_of
from runs.statistics.shares import Shares, shares_of
from runs.statistics.sums import Sum, summed

Side = tuple[Cell | None, Cell | None]


@dataclass(frozen=True, slots=True)
class Total:
    """One column: `trials` counts its trials by state, `states` its cases by what they ended as, `flaky` those whose
    trials disagree.

    `score` is the mean over cases, `seconds` the mean over trials; None where nothing is known. `cost` in US dollars
    and `tokens` are sums; of a trial that was judged, a part that is missing is not known. `is_graded` says whether any
    score is neither 0 nor 1. `pairs` and `scores` compare it with the base, `needed` says what would decide a
    difference of passed trials that may be chance; all three are None for the base itself.
    """

    trials: Counter[str]
    states: Counter[str]
    flaky: int
    score: float | None
    cost: Sum
    tokens: Sum
    seconds: float | None
    is_graded: bool
    pairs: Pairs | None = None
    scores: ScorePairs | None = None
    needed: Needed | None = None

    @property
    def shares(self) -> Shares:
        """The shares of trials: what pages, exports and the API call the pass rate of a run."""
        return shares_of(self.trials)

    @property
    def cases(self) -> Shares:
        """The shares of cases, each decided by its pack's rule for several trials."""
        return shares_of(self.states)

    @property
    def unjudged(self) -> list[tuple[str, int]]:
        """Cases without a verdict by reason, the most frequent first."""
        return [(state, count) for state, count in self.states.most_common() if state not in (PASSED, FAILED)]


def totals_of(rows: Sequence[ComparedCase], columns: int) -> list[Total]:
    """Every column; the chances of what is compared are corrected for the number of columns."""
    return corrected_totals([sum_up(rows, at) for at in range(columns)])


def corrected_totals(found: Sequence[Total]) -> list[Total]:
    """Columns that were summed up alone, in view of each other."""
    pairs = corrected([total.pairs for total in found])
    scores = corrected([total.scores for total in found])
    return [
        replace(total, pairs=pair, scores=score, needed=None if pair is None or pair.is_decided else total.needed)
        for total, pair, score in zip(found, pairs, scores, strict=True)
    ]


def sum_up(rows: Sequence[ComparedCase], at: int) -> Total:
    """One column alone."""
    cells = [cell for row in rows if (cell := row.cells[at])]
    samples = [sample for cell in cells for sample in cell.samples]
    sides = _sides(rows, at)
    return Total(
        trials=Counter(sample.state for sample in samples),
        states=Counter(cell.state for cell in cells),
        flaky=sum(cell.is_flaky for cell in cells),
        score=mean_of([cell.score for cell in cells if cell.is_telling]),
        cost=_spent(samples, [sample.cost_usd for sample in samples]),
        tokens=_spent(samples, [sample.tokens for sample in samples]),
        seconds=mean_of([sample.seconds for sample in samples]),
        is_graded=any(sample.score not in (None, 0, 1) for sample in samples),
        pairs=pairs_of(sides) if sides is not None else None,
        scores=score_pairs_of(sides) if sides is not None else None,
        needed=_needed(sides) if sides is not None else None,
    )


def _spent(samples: Sequence[Sample], parts: Sequence[float | None]) -> Sum:
    """What trials used up; one that was not judged, and says nothing, used nothing that would be known."""
    paired = zip(samples, parts, strict=True)
    return summed(part for sample, part in paired if part is not None or sample.state in (PASSED, FAILED))


def _sides(rows: Sequence[ComparedCase], at: int) -> list[Side] | None:
    """The cells of a column, each with its base first; None for the base itself."""
    if not rows or rows[0].base == at:
        return None
    return [(row.cells[row.base], row.cells[at]) for row in rows]


def _needed(sides: Sequence[Side]) -> Needed | None:
    """What would decide the difference of a column, as far as its trials tell."""
    passes = [(_passes(base), _passes(other)) for base, other in sides if base and other]
    known = [(base, other) for base, other in passes if base.count and other.count]
    spread = spread_of(known)
    if spread is None:
        return None
    difference = fmean(other.mean - base.mean for base, other in known)
    return needed(spread, difference, len(known), median_low([min(base.count, other.count) for base, other in known]))


def _passes(cell: Cell) -> Moments:
    """The judged trials of a cell, as ones and zeros."""
    return _moments(tuple([sample.state for sample in cell.samples]))


@lru_cache(maxsize=4096)
def _moments(states: tuple[str, ...]) -> Moments:
    passed = states.count(PASSED)
    return Moments(passed + states.count(FAILED), passed, passed)


def mean_of(values: Sequence[float | None]) -> float | None:
    """The mean of what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
