"""Counts what survives: 1,000 trials of an agent that takes 50 ms, at concurrency 32, while workers and servers die.

Run by `python -m benchmarks survival`. It starts PostgreSQL, Redis and two workers of its own. In one round a worker is
killed with SIGKILL every few seconds for a minute, in others Redis and PostgreSQL are restarted in the middle.
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.runs.endurance import Cluster, cluster, endure

TRIALS = 1_000
DELAY = 0.05
EVENTS = 5
SECONDS = 60.0
COLUMNS = ("round", "trials", "finished once", "run again", "begun again", "events lost or doubled", "kills", "seconds")


def main(names: list[str]) -> int:
    """Print the table; 1 when a trial or an event got lost or doubled, or something was left behind."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    print("".join(f"{column:>{max(len(column), 8) + 2}}" for column in COLUMNS))
    with tempfile.TemporaryDirectory(prefix="packwright-bench-") as folder, cluster(Path(folder)) as place:
        good = [
            survive(place, "undisturbed", lambda: [], 0.0),
            survive(place, "killed", lambda: [(at, place.kill_one) for at in (200, 600)], SECONDS),
            survive(place, "Redis", lambda: [(300, lambda: place.broker.restart(away=0.5))], 0.0),
            survive(place, "PostgreSQL", lambda: [(300, lambda: place.database.restart(away=0.5))], 0.0),
        ]
        left = place.leftovers()
    print(f"left behind: {len(left['processes'])} processes, {len(left['files'])} files")
    return 0 if all(good) and not left["processes"] and not left["files"] else 1


def survive(place: Cluster, name: str, blows: Callable[[], list[tuple[int, Any]]], seconds: float) -> bool:
    """Runs of a thousand trials under blows until the time is over, as one line of the table; whether all was whole."""
    began, kills = time.monotonic(), place.kills
    found = [endure(place, TRIALS, DELAY, blows())]
    while time.monotonic() - began < seconds:
        found.append(endure(place, TRIALS, DELAY, blows()))
    trials = TRIALS * len(found)
    once = sum(run["ended"] for run in found)
    again = sum(len(run["again"]) for run in found)
    events = sum(abs(run["events"] - TRIALS * EVENTS) + len(run["wrong"]) for run in found)
    begun = sum(run["repeated"] for run in found)
    row = (name, trials, once, again, begun, events, place.kills - kills, f"{time.monotonic() - began:.1f}")
    print("".join(f"{value:>{max(len(column), 8) + 2}}" for column, value in zip(COLUMNS, row, strict=True)))
    passed = all(run["counts"] == {"passed": TRIALS} for run in found)
    return passed and (once, again, events) == (trials, 0, 0)
