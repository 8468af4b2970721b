"""Which cases a run has: it does not change while trials end, so it is kept for the pages of long runs."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.models import Run
from runs.models.case_counts import case_counts_of
from runs.results.memory import MEMORY, name_of


@dataclass(frozen=True, slots=True)
class Layout:
    """The positions of the cases that have trials, in their order, and whether these are of several challenges."""

    positions: Sequence[int]
    has_challenges: bool


def layout_of(run: Run) -> Layout:
    """The cases of a run. Trials that are added later are of the same cases."""
    return MEMORY.remembered(("layout", *name_of(run)), run.trial_count, lambda: _read(run))


def _read(run: Run) -> Layout:
    positions: set[int] = set()
    challenges: set[str | None] = set()
    for count in case_counts_of(run.pk, run.agents.values_list("pk", flat=True)):
        positions.update(count.first + at for at, judged in enumerate(count.columns[1]) if judged >= 0)
        challenges.add(count.challenge_key)
    return Layout(packed(sorted(positions)), len(challenges) > 1 or None in challenges)


def packed(positions: Iterable[int]) -> Sequence[int]:
    """Numbers in little space."""
    found = array("I", positions)
    return range(len(found)) if found == array("I", range(len(found))) else found
