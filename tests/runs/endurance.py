"""Runs that go on while workers and servers die: what tests promise, and what a benchmark counts."""

import os
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import psycopg

from tests.services import ENDING_SECONDS, Studio, postgres, redis, wait_until

THREADS = 16
# Empty folders of the standard library's own, and where slots of sandboxes have their locks.
KEPT = ("pymp-", "packwright-sandbox-")


@contextmanager
def cluster(folder):
    """A studio on PostgreSQL and Redis with two workers of one process each."""
    with ExitStack() as stack:
        database, broker = stack.enter_context(postgres()), stack.enter_context(redis())
        place = Studio(
            folder,
            DATABASE_URL=database.address,
            REDIS_URL=broker.address,
            PACKWRIGHT_TRIAL_THREADS=str(THREADS),
            PACKWRIGHT_RUN_CONCURRENCY=str(2 * THREADS),
            PACKWRIGHT_LOG_LEVEL="ERROR",
            TMPDIR=str(make_folder(folder, "tmp")),
        )
        stack.callback(place.close)
        yield Cluster(place, database, broker)


def make_folder(parent, name):
    path = Path(parent, name)
    path.mkdir()
    return path


class Cluster:
    """Two workers with their servers, and what was counted while they died."""

    def __init__(self, studio, database, broker):
        self.studio, self.database, self.broker = studio, database, broker
        self.temporary = studio.folder / "tmp"
        self.kills = 0
        self.killed_at = 0.0
        self.start()

    def start(self):
        """Start both workers, and wait until they are ready."""
        self.workers = [self.studio.start_worker(slots=1) for _ in range(2)]
        wait_until(lambda: self.studio.scene("workers") == 2, "both workers")

    def kill_one(self):
        """SIGKILL a worker that has claimed trials, with all it started, and start another in its place."""
        place = wait_until(self.busy, "a worker that has claimed trials")[0]
        self.studio.kill(self.workers[place])
        self.killed_at = time.time()
        self.workers[place] = self.studio.start_worker(slots=1)
        self.kills += 1

    def busy(self):
        """Which workers have claimed trials now."""
        with psycopg.connect(self.database.address, autocommit=True) as connection:
            marks = connection.execute("SELECT DISTINCT lease FROM runs_trial WHERE lease <> ''").fetchall()
        groups = {group_of(int(mark.split("|")[1])) for (mark,) in marks}
        return [place for place, worker in enumerate(self.workers) if worker.pid in groups]

    def has_recovered(self):
        """Whether the worker that was started last has given a sign of life."""
        with psycopg.connect(self.database.address, autocommit=True) as connection:
            [newest] = connection.execute("SELECT max(started_at) FROM runs_workerbeat").fetchone()
        return newest is not None and newest.timestamp() >= self.killed_at

    def finished(self, run, at_least=0):
        """When each trial of a run was finished, once so many are: id -> time.

        Asked of the database itself, since a process of its own would take longer to start than the run does.
        """
        asked = "SELECT id, finished_at FROM runs_trial WHERE run_id = %s AND finished_at IS NOT NULL"
        deadline = time.monotonic() + ENDING_SECONDS
        with psycopg.connect(self.database.address, autocommit=True) as connection:
            while True:
                found = dict(connection.execute(asked, [run]).fetchall())
                if len(found) >= at_least:
                    return found
                assert time.monotonic() < deadline, f"only {len(found)} of {at_least} trials have finished"
                time.sleep(0.02)

    def leftovers(self):
        """Processes of this studio that live, and files of theirs, while its workers are killed."""
        for worker in self.workers:
            self.studio.kill(worker)
        mine = str(self.studio.folder)
        alive = [process.pid for process in psutil.process_iter() if belongs(process, mine)]
        files = [path.name for path in self.temporary.iterdir() if not path.name.startswith(KEPT)]
        files += [str(path) for path in self.temporary.glob("packwright-sandbox-*/*") if path.name.isdecimal()]
        self.start()
        return {"processes": alive, "files": files}


def group_of(pid):
    """The process group of a process; None once it is gone."""
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def belongs(process, folder):
    try:
        return process.environ().get("PACKWRIGHT_VAR") == folder and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def follow(cluster, run, seconds):
    """What the rows say at the end of a run, or after so many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        found = cluster.studio.scene("audit", run, 30)
        if found["status"] == "completed" or time.monotonic() > deadline:
            return found


def endure(cluster, cases, delay, blows, seconds=2 * ENDING_SECONDS):
    """Run so many trials while blows fall: pairs of a number of finished trials and what happens then.

    Gives what the rows say in the end, with how long it took and how many finished trials were run again.
    """
    began = time.monotonic()
    config = {"default": {"output": "It is at the hub."}, "delay_seconds": delay}
    run = cluster.studio.scene("start", cases, "scripted", config)["run"]
    known = {}
    for at_least, blow in blows:
        known |= cluster.finished(run, at_least)
        blow()
    found = follow(cluster, run, seconds)
    took = time.monotonic() - began
    last = cluster.finished(run)
    again = [key for key, at in known.items() if last[key] != at]
    return {**found, **cluster.studio.scene("wholeness", run), "again": again, "seconds": took, "known": len(known)}
