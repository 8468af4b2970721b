"""How the judges of a run are asked: by the connections of its team, several calls at a time."""

from collections.abc import Callable

from django.conf import settings

from runs.grading.judges import Bench
from runs.models import Run
from runs.models.answering import endpoints_of
from runs.models.clerk import close_connection

# How many calls the judges of one trial may have under way.
MOST_AT_ONCE = 4


def bench_of(run: Run, is_cancelled: Callable[[], bool]) -> Bench:
    """How the judges of one trial of a run are asked. A worker without threads asks one after the other."""
    threads = min(MOST_AT_ONCE, settings.TRIAL_THREADS)
    return Bench(endpoints_of(run), is_cancelled, threads, leave_thread=close_connection)
