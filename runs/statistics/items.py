"""What each case of a set is worth, by classical test theory: how hard it is, and whether good agents pass it more.

A matrix holds the judged trials of each agent at each case. Nothing is assumed of agents or cases beyond that; what
looks like a finding has to hold against chance over all cases at once (Holm 1979), and a test shuffles matrices to see
that it does. References: Crocker and Algina 1986, chapter 14 (item analysis); Fisher 1921 (interval).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import atanh, factorial, prod, sqrt, tanh
from statistics import fmean

from runs.statistics.estimates import LEVELS, Interval, t_share

# The judged trials of one agent at one case in their order: whether each passed. Empty where none was judged.
Cell = tuple[bool, ...]
# Agents that a correlation needs at least, and its interval.
LEAST_AGENTS, LEAST_FOR_INTERVAL = 3, 4
CHANCE = 0.05
# From this pass rate of the best agent on, a set has little left to tell better ones by.
SATURATED = 0.95


@dataclass(frozen=True, slots=True)
class Matrix:
    """Cells by case, each with one cell an agent."""

    agents: Sequence[str]
    cases: Sequence[str]
    cells: Sequence[Sequence[Cell]]

    @property
    def rates(self) -> list[list[float | None]]:
        """The pass rate of each cell, None where nothing was judged."""
        return [[sum(cell) / len(cell) if cell else None for cell in row] for row in self.cells]

    def only(self, places: Iterable[int]) -> "Matrix":
        """The same of some cases."""
        chosen = list(places)
        return Matrix(self.agents, [self.cases[at] for at in chosen], [self.cells[at] for at in chosen])

    def halves(self) -> tuple["Matrix", "Matrix"]:
        """Two matrices of different trials: every second one, and the others."""
        first, second = ([[cell[start::2] for cell in row] for row in self.cells] for start in (0, 1))
        return Matrix(self.agents, self.cases, first), Matrix(self.agents, self.cases, second)


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's correlation over `count` agents. `p_value` is two-sided: the chance of one at least as far from 0
    where agents and values have nothing to do with each other; never below one in as many orders as the values have.
    """

    value: float
    count: int
    p_value: float

    @property
    def interval(self) -> Interval | None:
        """The 95% interval by Fisher's transformation; None for fewer than four agents, or a perfect correlation."""
        if self.count < LEAST_FOR_INTERVAL or abs(self.value) > 1 - 1e-9:
            return None
        centre, half = atanh(self.value), LEVELS[0.95] / sqrt(self.count - 3)
        return tanh(centre - half), tanh(centre + half)


@dataclass(frozen=True, slots=True)
class Item:
    """One case over all agents. `place` is its row in the matrix; `agents` counts those with a judged trial.

    `difficulty` is the mean of the pass rates of these agents, as test theory has it: 1 is the easiest. `flaky` counts
    agents that both passed and failed it. `discrimination` is the correlation of their pass rates at this case with
    those at all other cases; None where either does not vary, or for less than three agents.
    """

    place: int
    key: str
    agents: int
    trials: int
    difficulty: float
    flaky: int
    discrimination: Correlation | None

    @property
    def is_never_solved(self) -> bool:
        return self.difficulty == 0

    @property
    def is_always_solved(self) -> bool:
        return self.difficulty == 1


@dataclass(frozen=True)
class Analysis:
    """What the cases of a set are worth; cases that no agent was judged at are left out."""

    matrix: Matrix
    items: Sequence[Item]

    @cached_property
    def wrong_way(self) -> list[Item]:
        """Cases that weaker agents pass more often than stronger ones, beyond chance over all cases (Holm)."""
        known = [(item.discrimination.p_value, item) for item in self.items if item.discrimination]
        return [item for item in holm(known) if item.discrimination and item.discrimination.value < 0]

    @property
    def negative(self) -> list[Item]:
        """Cases whose correlation is below 0; of those that tell nothing, chance makes half."""
        return [item for item in self.items if item.discrimination and item.discrimination.value < 0]

    @property
    def flaky_cells(self) -> int:
        return sum(item.flaky for item in self.items)

    @property
    def cells(self) -> int:
        """How many pairs of case and agent have a judged trial."""
        return sum(item.agents for item in self.items)

    @cached_property
    def means(self) -> dict[int, float]:
        """The mean of each agent's pass rates over its cases, by its place; the best agent first."""
        found = {at: value for at, value in enumerate(means_of(self.matrix.rates)) if value is not None}
        return dict(sorted(found.items(), key=lambda pair: -pair[1]))

    @property
    def is_saturated(self) -> bool:
        """Whether an agent passes so much of all cases that the set cannot show a better one. A case that it was not
        judged at may be one that it fails."""
        rates = self.matrix.rates
        sums = (sum(row[at] or 0.0 for row in rates) for at in range(len(self.matrix.agents)))
        return bool(self.items) and max(sums, default=0.0) / len(self.items) >= SATURATED


def analyse(matrix: Matrix) -> Analysis:
    """What each case is worth."""
    rates = matrix.rates
    sums = [sum(row[at] or 0.0 for row in rates) for at in range(len(matrix.agents))]
    counts = [sum(row[at] is not None for row in rates) for at in range(len(matrix.agents))]
    items = [
        _item(matrix, place, row, _rests(row, sums, counts))
        for place, row in enumerate(rates)
        if any(value is not None for value in row)
    ]
    return Analysis(matrix, items)


def _rests(row: Sequence[float | None], sums: Sequence[float], counts: Sequence[int]) -> list[tuple[float, float]]:
    """The pass rate of each agent at a case, with the mean of those at all others."""
    return [
        (value, (sums[at] - value) / (counts[at] - 1))
        for at, value in enumerate(row)
        if value is not None and counts[at] > 1
    ]


def _item(matrix: Matrix, place: int, row: Sequence[float | None], rests: Sequence[tuple[float, float]]) -> Item:
    cells, values = matrix.cells[place], [value for value in row if value is not None]
    return Item(
        place,
        matrix.cases[place],
        len(values),
        sum(len(cell) for cell in cells),
        fmean(values),
        sum(any(cell) and not all(cell) for cell in cells),
        correlation(rests),
    )


def correlation(pairs: Sequence[tuple[float, float]]) -> Correlation | None:
    """Pearson's correlation; None for fewer than three pairs, or where either side does not vary."""
    count = len(pairs)
    if count < LEAST_AGENTS:
        return None
    left, right = (fmean(side) for side in zip(*pairs, strict=True))
    spread = sum((x - left) ** 2 for x, _ in pairs) * sum((y - right) ** 2 for _, y in pairs)
    # Sums of equal shares differ in their last digits.
    if spread < 1e-18:
        return None
    value = sum((x - left) * (y - right) for x, y in pairs) / sqrt(spread)
    value = max(-1.0, min(1.0, value))
    return Correlation(value, count, max(_p_value(value, count), 1 / _orders([x for x, _ in pairs])))


def _p_value(value: float, count: int) -> float:
    if abs(value) > 1 - 1e-12:
        return 0.0
    return 1 - t_share(abs(value) * sqrt((count - 2) / (1 - value * value)), count - 2)


def _orders(values: Sequence[float]) -> float:
    """In how many orders values can stand that look different."""
    return factorial(len(values)) / prod(factorial(count) for count in Counter(values).values())


def holm(tested: Iterable[tuple[float, Item]], chance: float = CHANCE) -> list[Item]:
    """What holds of several tests, so that the chance of any false one is no more than `chance` (Holm 1979)."""
    ordered = sorted(tested, key=lambda pair: pair[0])
    found = []
    for place, (p_value, item) in enumerate(ordered):
        if p_value > chance / (len(ordered) - place):
            break
        found.append(item)
    return found


def means_of(rates: Sequence[Sequence[float | None]]) -> list[float | None]:
    """The mean of each agent's pass rates over the cases that it was judged at."""
    columns = ([value for value in column if value is not None] for column in zip(*rates, strict=True))
    return [fmean(column) if column else None for column in columns]


def kind_of(item: Item, wrong_way: Mapping[int, Item] | Iterable[int]) -> str:
    """The weightiest thing to say of a case."""
    if item.place in wrong_way:
        return "wrong_way"
    if item.is_never_solved:
        return "never"
    if item.is_always_solved:
        return "always"
    return "flaky" if item.flaky else ""
