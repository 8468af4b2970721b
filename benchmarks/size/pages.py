"""What pages and exports of a run cost by its size: processor time, queries, and how both grow.

Processor time is that of this process and of the database server; a busy machine does not make it longer.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import psutil
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from benchmarks.size.rows import AGENTS, NUMBERS, publish_cases, write_run
from benchmarks.workbench import PLAIN_FILES
from packs.access import Role
from packs.models import Membership, Team
from runs.models import Run

ROUNDS = 3
COMPARED = 6
# Of an export the start, and how fast it goes on for so many trials.
EXPORTED = 2_000
EXPORTS = ("jsonl", "junit", "traces")
HTMX = {"HX-Request": "true"}


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds by the clock and of processor time, and queries of one act."""

    wall: float
    cpu: float
    queries: int


def run(trials: int, database: str) -> int:
    """Print the table of one size."""
    team, user = Team.objects.create(slug="bench", name="Bench"), User.objects.create_user("bench")
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    cases = max(1, trials // (AGENTS * NUMBERS))
    version = publish_cases(team, user, cases)
    began = time.perf_counter()
    ended = write_run(user, version, AGENTS, NUMBERS)
    live = write_run(user, version, AGENTS, NUMBERS, is_live=True)
    compared = [write_run(user, version, 1, 1, is_live=at == 0) for at in range(COMPARED)]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(
        f"{trials:,} trials, {cases:,} cases, {database} (written in {time.perf_counter() - began:.0f} s)", flush=True
    )
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    print(f"  {'':28}{'wall ms':>10}{'cpu ms':>10}{'queries':>9}")
    with override_settings(STORAGES={**settings.STORAGES, **PLAIN_FILES}):
        for name, act in acts_of(client, ended, live, compared).items():
            cost = measured(act)
            print(f"  {name:28}{cost.wall:10,.0f}{cost.cpu:10,.0f}{cost.queries:9}", flush=True)
        for kind in EXPORTS:
            first, rate = exported(client, ended, kind)
            print(f"  {kind:28}{first:10,.0f} ms to the first byte, {rate:,.0f} trials/s", flush=True)
    return 0


def acts_of(client: Client, ended: Run, live: Run, compared: list[Run]) -> dict[str, Callable[[], Any]]:
    """What is asked for, by its name. A poll sees a trial that ended since the last one."""
    base, pack = f"/runs/{ended.pk}/", f"{ended.version.pack.team.slug}/{ended.version.pack.slug}"
    pages = ended.trials.order_by().values("case_position").distinct().count() // 50
    ids = ",".join(str(run.pk) for run in compared)

    def poll(run: Run, address: str) -> Any:
        trial = run.trials.filter(status="queued").order_by("pk").first()
        if trial is not None:
            run.trials.filter(pk=trial.pk).update(status="passed", score=1.0)
        return client.get(address, headers=HTMX)

    return {
        "run page": lambda: client.get(base),
        "grid, a page in the middle": lambda: client.get(f"{base}?page={max(1, pages // 2)}"),
        "grid, failed trials": lambda: client.get(f"{base}?status=failed"),
        "grid, sorted": lambda: client.get(f"{base}?sort=passed"),
        "map of the grid": lambda: client.get(f"{base}map/"),
        "poll of a live run": lambda: poll(live, f"/runs/{live.pk}/"),
        "list of runs": lambda: client.get("/runs/"),
        "metrics": lambda: client.get(f"{base}metrics/"),
        "charts": lambda: client.get(f"{base}charts/"),
        "results of the pack": lambda: client.get(f"/results/{pack}/"),
        "cases of the pack": lambda: client.get(f"/results/{pack}/cases/"),
        "failures of the pack": lambda: client.get(f"/results/{pack}/failures/"),
        "compare six": lambda: client.get(f"/runs/compare/?ids={ids}"),
        "poll of a comparison": lambda: poll(compared[0], f"/runs/compare/?ids={ids}"),
    }


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


def exported(client: Client, run: Run, kind: str) -> tuple[float, float]:
    """Milliseconds to the first byte of an export, and trials a second while it goes on."""
    start = time.perf_counter()
    parts: Iterator[bytes] = iter(client.get(f"/runs/{run.pk}/export/{kind}/").streaming_content)
    next(parts)
    first, start = time.perf_counter() - start, time.perf_counter()
    count = sum(1 for _ in islice(parts, EXPORTED))
    return first * 1000, count / max(time.perf_counter() - start, 1e-9)
