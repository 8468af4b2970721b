"""Which cases a run has: it does not change while trials end, so it is kept for the pages of long runs."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from runs.models import Run, Trial
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
    # By agents: an index has the cases of each, of which only the first trials are read.
    firsts = Trial.objects.filter(run_agent__in=run.agents.values("pk"), number=1)
    rows = firsts.order_by("case_position").values_list("case_position", "challenge_key")
    pairs = list(rows.distinct())
    return Layout(packed(dict.fromkeys(place for place, _ in pairs)), len({challenge for _, challenge in pairs}) > 1)


def packed(positions: Iterable[int]) -> Sequence[int]:
    """Numbers in little space."""
    found = array("I", positions)
    return range(len(found)) if found == array("I", range(len(found))) else found
