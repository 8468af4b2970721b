"""Columns aligned by the keys of their cases, and what changed against the base."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import is_

from runs.statistics.comparing.cells import Cell

TOLERANCE = 1e-9


class Change(StrEnum):
    """What became of a case, the weightiest first."""

    REGRESSED = "regressed"
    FIXED = "fixed"
    FLAKY = "flaky"
    CHANGED = "changed"
    NEW = "new"
    GONE = "gone"
    INCOMPARABLE = "incomparable"
    SAME = "same"


WEIGHTS: Mapping[Change, int] = {change: weight for weight, change in enumerate(Change)}
Name = tuple[str, str, int]


def change_of(base: Cell | None, other: Cell | None) -> Change | None:
    """What a case became; None where neither has it.

    A case without a verdict on either side is not comparable: that says nothing about the agent (task-suite 6).
    """
    if base is None or other is None:
        return None if base is other else Change.NEW if base is None else Change.GONE
    if not base.is_telling or not other.is_telling:
        return Change.INCOMPARABLE
    if base.verdict != other.verdict:
        return Change.FIXED if other.verdict == "pass" else Change.REGRESSED
    if base.is_flaky or other.is_flaky:
        return Change.FLAKY
    return Change.SAME if score_delta(base, other) in (None, 0.0) else Change.CHANGED


def score_delta(base: Cell | None, other: Cell | None) -> float | None:
    """How much the score grew; None where one side has none, or no verdict."""
    if base is None or other is None or not (base.is_telling and other.is_telling):
        return None
    if base.score is None or other.score is None:
        return None
    delta = other.score - base.score
    return 0.0 if abs(delta) <= TOLERANCE else delta


@dataclass(frozen=True, slots=True)
class ComparedCase:
    """One case in all columns. `changes` has None for the base, and where a column and the base both lack the case.

    `input_set` is empty where the key alone names the case; `kinds` are the changes by which the row is found.
    """

    name: Name
    challenge: str
    cells: tuple[Cell | None, ...]
    changes: tuple[Change | None, ...]
    base: int
    state: Change
    kinds: frozenset[Change]

    @property
    def key(self) -> str:
        return self.name[0]

    @property
    def input_set(self) -> str:
        return self.name[1]

    @property
    def deltas(self) -> list[float | None]:
        """How much the score of each column differs from that of the base."""
        base = self.cells[self.base]
        return [None if at == self.base else score_delta(base, cell) for at, cell in enumerate(self.cells)]

    @property
    def delta(self) -> float | None:
        """The greatest loss of any column, or the smallest gain."""
        return min((delta for delta in self.deltas if delta is not None), default=None)

    @property
    def is_edited(self) -> bool:
        """Whether the columns were given different cases under one key."""
        return len({cell.digest for cell in self.cells if cell and cell.digest}) > 1


def row_of(name: Name, cells: Sequence[Cell | None], base: int) -> ComparedCase:
    changes = tuple(None if at == base else change_of(cells[base], cell) for at, cell in enumerate(cells))
    reported = {change for change in changes if change}
    flaky = {Change.FLAKY} if any(cell.is_flaky for cell in cells if cell) else set()
    kinds = reported | flaky or {Change.SAME}
    # What is flaky beside a change of verdict is found by either, and called by the change.
    state = min(kinds, key=WEIGHTS.__getitem__)
    challenge = next((cell.challenge for cell in cells if cell), "")
    return ComparedCase(name, challenge, tuple(cells), changes, base, state, frozenset(kinds))


def align(columns: Sequence[Sequence[Cell]], base: int, earlier: Sequence[ComparedCase] = ()) -> list[ComparedCase]:
    """The cases of all columns, those of the base first and in its order.

    Cases are aligned by their keys; a key that a column has twice is distinguished by input set, then by order. Rows of
    an `earlier` alignment to the same base are taken over where they have just the cells that they have now.
    """
    known = {row.name: row for row in earlier}
    doubled = {key for column in columns for key, count in Counter(cell.key for cell in column).items() if count > 1}
    named = [dict(_named(column, doubled)) for column in columns]
    names = dict.fromkeys(name for column in (named[base], *named) for name in column) if named else {}
    return [_row(name, tuple(column.get(name) for column in named), base, known.get(name)) for name in names]


def _row(name: Name, cells: tuple[Cell | None, ...], base: int, known: ComparedCase | None) -> ComparedCase:
    if known is not None and len(known.cells) == len(cells) and all(map(is_, known.cells, cells)):
        return known
    return row_of(name, cells, base)


def _named(column: Sequence[Cell], doubled: set[str]) -> Iterator[tuple[Name, Cell]]:
    seen: Counter[tuple[str, str]] = Counter()
    for cell in column:
        place = (cell.key, cell.input_set if cell.key in doubled else "")
        yield (*place, seen[place]), cell
        seen[place] += 1
