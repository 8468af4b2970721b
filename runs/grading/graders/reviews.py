"""What people score of a trial, and what their scores say of it: passed or not, and how well from 0 to 1."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from runs.grading.graders.rubrics import BEST, TOLERANCE


class Said(NamedTuple):
    """What scores say of a trial; `score` is from 0 to 1."""

    passes: bool
    score: float


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing that a reviewer scores: its key among the scores, its name, and the text that says what is meant."""

    key: str
    name: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Rubric:
    """All that is scored of a trial. It passes where the mean of the scores reaches `passes_from`."""

    aspects: Sequence[Aspect] = ()
    passes_from: float = 0.0

    def verdict(self, scores: Mapping[str, Any]) -> Said | None:
        """What the scores of one person say; None where they say nothing."""
        given = [scores[aspect.key] for aspect in self.aspects if aspect.key in scores]
        if not given:
            return None
        mean = fmean(given)
        return Said(mean >= self.passes_from - TOLERANCE, mean / BEST)
