"""What figures that need every trial are made of where a run is very large: the trials of every so-manyth case."""

from dataclasses import dataclass
from math import ceil

from django.db.models import Max, QuerySet

from runs.models import Run, Trial

# A run with no more trials than this is read whole. Of a larger one about so many are read, of so many cases at least.
MOST, LEAST_CASES = 20_000, 100


@dataclass(frozen=True, slots=True)
class Sample:
    """The cases of a run that are read: one in `every`, which is 1 where all are; `last` is the last position."""

    every: int = 1
    last: int = 0

    @classmethod
    def of(cls, run: Run) -> "Sample":
        if run.trial_count <= MOST:
            return cls()
        last = Trial.objects.filter(run=run).aggregate(last=Max("case_position"))["last"] or 0
        return cls(max(1, min(ceil(run.trial_count / MOST), (last + 1) // LEAST_CASES)), last)

    def rows(self, rows: QuerySet[Trial]) -> QuerySet[Trial]:
        """Those trials of the run that are read."""
        return rows if self.every == 1 else rows.filter(case_position__in=range(0, self.last + 1, self.every))

    def __str__(self) -> str:
        return "" if self.every == 1 else f"Made of one case in {self.every}, as the run is very large."
