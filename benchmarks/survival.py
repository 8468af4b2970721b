"""Counts what survives: trials of an agent that takes 50 ms, at concurrency 32, while workers and servers die.

Run by `python -m benchmarks survival`. It starts PostgreSQL, Redis and two workers of its own. In one round a worker is
killed with SIGKILL every few seconds for about a minute, in others Redis and PostgreSQL are restarted in the middle.
"""

import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.runs.endurance import Cluster, cluster, endure

TRIALS = 1_000
# Enough work for the round with kills, at the pace of one worker.
MANY_TRIALS = 10_000
PAUSE_SECONDS = 4.0
DELAY = 0.05
EVENTS = 5
COLUMNS = ("round", "trials", "finished once", "run again", "begun again", "events lost or doubled", "blows", "seconds")


def main(names: list[str]) -> int:
    """Print the table; 1 when a trial or an event got lost or doubled, or something was left behind."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    print("".join(f"{column:>{max(len(column), 11) + 2}}" for column in COLUMNS))
    with tempfile.TemporaryDirectory(prefix="packwright-bench-") as folder, cluster(Path(folder)) as place:
        good = [survive(place, "undisturbed", TRIALS)]
        with killing(place):
            good.append(survive(place, "killed", MANY_TRIALS))
        good.append(survive(place, "Redis", TRIALS, lambda: place.broker.restart(away=0.5)))
        good.append(survive(place, "PostgreSQL", TRIALS, lambda: place.database.restart(away=0.5)))
        left = place.leftovers()
    print(f"left behind: {len(left['processes'])} processes, {len(left['files'])} files")
    return 0 if all(good) and not left["processes"] and not left["files"] else 1


@contextmanager
def killing(place: Cluster) -> Iterator[None]:
    """Kill one of the two workers every few seconds."""
    is_over = threading.Event()

    def kill() -> None:
        while not is_over.wait(PAUSE_SECONDS):
            # On a busy machine a worker takes longer to start; one that never got to work proves nothing.
            if place.has_recovered():
                place.kill_one()

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def pass_by() -> None:
    """Do nothing."""


def survive(place: Cluster, name: str, trials: int, blow: Callable[[], None] | None = None) -> bool:
    """A run under blows as one line of the table; whether everything was whole."""
    kills = place.kills
    # Without a blow of its own, a round only notes which trials are finished then.
    found = endure(place, trials, DELAY, [(trials // 10, blow or pass_by), (trials // 2, pass_by)], 400)
    once, again = found["ended"], len(found["again"])
    events = abs(found["events"] - trials * EVENTS) + len(found["wrong"])
    blows = place.kills - kills + (1 if blow else 0)
    row = (name, trials, once, again, found["repeated"], events, blows, f"{found['seconds']:.1f}")
    print("".join(f"{value:>{max(len(column), 11) + 2}}" for column, value in zip(COLUMNS, row, strict=True)))
    return found["counts"] == {"passed": trials} and (once, again, events) == (trials, 0, 0)
