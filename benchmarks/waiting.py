"""How many trials wait for their agents at once, beside a bare asyncio program that waits and stores as much.

Run by `python -m benchmarks waiting`, in a database of its own (see `benchmarks.database`), with the embedded broker.
The program and ours take turns, so that a busy machine slows both; seconds are those from the launch to the end of a
run. Exits with 1 when a run takes too many times as long as the program, a worker process has too few trials at work,
or takes too much memory.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

from benchmarks.rows import peak
from benchmarks.runs import follow, publish_cases
from packs.access import Role
from packs.models import Membership, Team
from runs.jobs.queue.workers import worker_health
from runs.models import Agent, Event, Run

MOST_MEGABYTES = 600


@dataclass(frozen=True)
class Work:
    """Trials of an agent that takes some seconds, by so many worker processes; `times` of the program's time at most,
    and so many trials at once at least."""

    trials: int
    seconds: float
    concurrency: int
    processes: int
    rounds: int
    times: float
    at_once: int


WORK = (
    Work(trials=1_000, seconds=0.05, concurrency=100, processes=2, rounds=5, times=2.5, at_once=50),
    Work(trials=250, seconds=10.0, concurrency=250, processes=1, rounds=1, times=1.25, at_once=250),
)


def run() -> int:
    """Print the table; 1 when a target is missed."""
    team, user = Team.objects.create(slug="bench", name="Bench"), User.objects.create_user("bench")
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)
    columns = ("trials", "each s", "processes", "asyncio s", "ours s", "times", "trials/s", "at once", "MB")
    print("".join(f"{column:>11}" for column in columns))
    met = [measure(work, team, user) for work in WORK]
    return int(not all(met))


def measure(work: Work, team: Team, user: User) -> bool:
    """One line of the table; whether the targets are met."""
    version = publish_cases(team, user, work.trials)
    config = {"default": "It is at the hub.", "delay_seconds": work.seconds}
    agent = Agent.objects.create(team=team, name=f"takes {work.seconds}", kind="scripted", config=config)
    floors, ours = [], []
    with workers(work.processes) as worker:
        for number in range(work.rounds):
            floors.append(floor(work, settings.VAR_DIR / f"floor-{work.trials}-{number}.sqlite3"))
            ours.append(follow(user, version, agent, work.concurrency))
        megabytes = max(peak(pid) for pid in children(worker.pid))
    most = most_at_once(Run.objects.latest("pk"))
    seconds, least = statistics.median(ours), statistics.median(floors)
    cells: tuple[Any, ...] = (
        *(f"{work.trials:,}", work.seconds, work.processes, f"{least:.2f}", f"{seconds:.2f}"),
        *(f"{seconds / least:.2f}", f"{work.trials / seconds:,.0f}", most, f"{megabytes:.0f}"),
    )
    print("".join(f"{cell:>11}" for cell in cells))
    return seconds <= work.times * least and most >= work.at_once and megabytes <= MOST_MEGABYTES


@contextmanager
def workers(processes: int) -> Iterator["subprocess.Popen[bytes]"]:
    """A worker that is ready, with so many processes."""
    command = [sys.executable, "-m", "celery", "-A", "studio", "worker", "--pool", "prefork"]
    worker = subprocess.Popen(
        [*command, "--concurrency", str(processes), "--without-gossip", "--without-mingle"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not worker_health().workers:
            time.sleep(0.05)
        yield worker
    finally:
        worker.terminate()
        worker.wait()


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def floor(work: Work, path: Path) -> float:
    """Seconds that the asyncio program takes for the same."""
    arguments = [str(work.trials), str(work.seconds), str(work.concurrency), str(path)]
    return float(subprocess.check_output([sys.executable, "-m", "benchmarks.floor", *arguments]))


def most_at_once(run: Run) -> int:
    """How many trials of a run were at work at the same moment, by their events."""
    events = Event.objects.filter(trial__run=run)
    moments = [
        (at, step)
        for step, name in ((1, "system.run.started"), (-1, "system.output.finalized"))
        for at in events.filter(event_type=name).values_list("occurred_at", flat=True)
    ]
    return max(accumulate(step for _, step in sorted(moments)))
