"""What the cases and trials of one column add up to."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from runs.statistics.comparing.cells import Cell, known_sum
from runs.statistics.comparing.pairs import Pairs, pairs_of
from runs.statistics.comparing.rows import ComparedCase
from runs.statistics.estimates import FAILED, PASSED
from runs.statistics.shares import Shares, shares_of


@dataclass(frozen=True, slots=True)
class Total:
    """One column: `trials` counts its trials by state, `states` its cases by what they ended as, `flaky` those whose
    trials disagree.

    `score` is the mean over cases, `seconds` the mean over trials, cost in US dollars and tokens sums; None where
    nothing is known. `pairs` compares it with the base and is None for the base itself.
    """

    trials: Counter[str]
    states: Counter[str]
    flaky: int
    score: float | None
    cost_usd: float | None
    tokens: float | None
    seconds: float | None
    pairs: Pairs | None

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


def total_of(rows: Sequence[ComparedCase], at: int) -> Total:
    """The column at this place."""
    cells = [cell for row in rows if (cell := row.cells[at])]
    samples = [sample for cell in cells for sample in cell.samples]
    base = rows[0].base if rows else at
    return Total(
        trials=Counter(sample.state for sample in samples),
        states=Counter(cell.state for cell in cells),
        flaky=sum(cell.is_flaky for cell in cells),
        score=mean_of([cell.score for cell in cells if cell.is_telling]),
        cost_usd=known_sum([sample.cost_usd for sample in samples]),
        tokens=known_sum([sample.tokens for sample in samples]),
        seconds=mean_of([sample.seconds for sample in samples]),
        pairs=None if at == base else pairs_of(_paired(rows, base, at)),
    )


def _paired(rows: Sequence[ComparedCase], base: int, at: int) -> list[tuple[Cell | None, Cell | None]]:
    return [(row.cells[base], row.cells[at]) for row in rows]


def mean_of(values: Sequence[float | None]) -> float | None:
    """The mean of what is known; None where nothing is."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
