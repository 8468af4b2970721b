"""How the tools that were called compare with those of a good trajectory (task-suite 5, `trajectory`)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

# Longer trajectories are compared by their beginnings: the work grows with the product of both lengths.
MAX_COMPARED = 2000


@dataclass(frozen=True, slots=True)
class ActionMatch:
    """Shares from 0 to 1; None where nothing is divided by."""

    precision: float | None
    recall: float | None
    in_order: float | None


def match_actions(reference: Sequence[str], actual: Sequence[str]) -> ActionMatch:
    """Overlap of the names as multisets, and the longest common subsequence over the reference."""
    overlap = (Counter(reference) & Counter(actual)).total()
    return ActionMatch(
        precision=overlap / len(actual) if actual else None,
        recall=overlap / len(reference) if reference else None,
        in_order=_common(reference[:MAX_COMPARED], actual[:MAX_COMPARED]) / len(reference) if reference else None,
    )


def _common(left: Sequence[str], right: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(right) + 1)
    for name in left:
        diagonal = 0
        for index, other in enumerate(right):
            above = row[index + 1]
            row[index + 1] = diagonal + 1 if name == other else max(above, row[index])
            diagonal = above
    return row[-1]


def is_subsequence(wanted: Sequence[str], actual: Sequence[str]) -> bool:
    """Whether the wanted names come in this order, others between them or not."""
    rest = iter(actual)
    return all(name in rest for name in wanted)
