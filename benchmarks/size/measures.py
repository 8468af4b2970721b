"""Measuring one act: milliseconds, processor time of this process and of the database server, and queries."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import psutil
from django.db import connection
from django.test.utils import CaptureQueriesContext

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds by the clock and of processor time, and queries of one act."""

    wall: float
    cpu: float
    queries: int


def measured(act: Callable[[], Any]) -> Cost:
    """The least of some rounds after a first one, which warms caches up; of a long act that one alone."""
    costs = []
    for _ in range(ROUNDS + 1):
        with CaptureQueriesContext(connection) as captured:
            wall, cpu = time.perf_counter(), spent()
            answer = act()
            wall, cpu = time.perf_counter() - wall, spent() - cpu
        if answer.status_code != 200:
            raise RuntimeError(f"answered {answer.status_code}")
        costs.append(Cost(wall * 1000, cpu * 1000, len(captured)))
        if wall > 10:
            break
    return min(costs[1:] or costs, key=lambda cost: cost.cpu)


def spent() -> float:
    """Seconds of processor time so far, of this process and of the server of the database."""
    return time.process_time() + sum(map(_seconds, _servers()))


def _servers() -> Iterable[psutil.Process]:
    if connection.vendor != "postgresql":
        return []
    connection.ensure_connection()
    server = psutil.Process(connection.connection.info.backend_pid).parent()
    return [server, *server.children()]


def _seconds(process: psutil.Process) -> float:
    """What a process used, with those of its children that have ended: workers of a query do so."""
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system + times.children_user + times.children_system)
