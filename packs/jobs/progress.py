"""How far a job is: reported now and then, which is also when a wish to stop it is heard."""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from django.utils import timezone

from packs.formats.document import Case, Pack
from packs.models import Job, JobStatus

SECONDS = 0.4
STEP = 1000


class Stopped(Exception):
    """Somebody stopped the job, or it is not this worker's any more."""


class Progress:
    """Tells how far a job is."""

    def __init__(self, job: int) -> None:
        self._job = job
        self._reported = 0.0

    def phase(self, name: str, total: int = 0) -> None:
        """Begin the next part of the work, `total` steps long where that is known. Raises Stopped."""
        self._tell(phase=name, total=total, done=0)

    def tick(self, done: int) -> None:
        """So many steps of the phase are done. Raises Stopped."""
        if time.monotonic() - self._reported >= SECONDS:
            self._tell(done=done)

    def _tell(self, **columns: Any) -> None:
        mine = Job.objects.filter(pk=self._job, status=JobStatus.RUNNING, cancel_requested_at=None)
        if not mine.update(touched_at=timezone.now(), **columns):
            raise Stopped
        self._reported = time.monotonic()


class Counted(Sequence[Case]):
    """The cases of a set; `tick` gets how many were walked through."""

    def __init__(self, cases: Sequence[Case], tick: Callable[[int], None], before: int) -> None:
        self._cases, self._tick, self._before = cases, tick, before

    def __len__(self) -> int:
        return len(self._cases)

    def __iter__(self) -> Iterator[Case]:
        for number, case in enumerate(self._cases):
            if number % STEP == 0:
                # Checks pause the collector: what they leave in cycles would add up to the whole file.
                gc.collect(1)
                self._tick(self._before + number)
            yield case

    def __getitem__(self, index: Any) -> Any:
        return self._cases[index]


def watched(pack: Pack, progress: Progress, phase: str) -> Pack:
    """A pack that says the same and tells how far a walk through its cases is, as a phase of its own."""
    sets, before = [], 0
    for input_set in pack.input_sets:
        sets.append(replace(input_set, cases=Counted(input_set.cases, progress.tick, before)))
        before += len(input_set.cases)
    progress.phase(phase, before)
    return replace(pack, input_sets=tuple(sets))
