"""What pages and exports of a run cost by its size: processor time, queries, and how both grow.

Processor time is that of this process and of the database server; a busy machine does not make it longer.
"""

import time
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import override_settings

from benchmarks.size.measures import measured
from benchmarks.size.rows import AGENTS, NUMBERS, publish_cases, write_run
from benchmarks.workbench import PLAIN_FILES
from packs.access import Role
from packs.models import Membership, Team
from runs.models import Run
from runs.results.memory import MEMORY

COMPARED = 6
# Of an export the start, and how fast it goes on for so many trials.
EXPORTED = 2_000
EXPORTS = ("jsonl", "junit", "traces")
HTMX = {"HX-Request": "true"}


def run(trials: int, database: str) -> dict[str, float]:
    """Print the table of one size; gives the processor time of each act, of exports the time to the first byte."""
    costs: dict[str, float] = {}
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
            costs[name] = cost.cpu
            print(f"  {name:28}{cost.wall:10,.0f}{cost.cpu:10,.0f}{cost.queries:9}", flush=True)
        for kind in EXPORTS:
            first, rate = exported(client, ended, kind)
            costs[kind] = first
            print(f"  {kind:28}{first:10,.0f} ms to the first byte, {rate:,.0f} trials/s", flush=True)
    return costs


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

    def anew(address: str) -> Any:
        MEMORY.forget()
        return client.get(address)

    def changed(address: str) -> Any:
        trial = ended.trials.filter(status="passed").order_by("pk").first()
        ended.trials.filter(pk=trial.pk).update(status="failed")
        return client.get(address)

    summary, compared_six = f"/api/v1/runs/{ended.pk}/summary/", f"/runs/compare/?ids={ids}"
    return {
        "run page": lambda: client.get(base),
        "grid, a page in the middle": lambda: client.get(f"{base}?page={max(1, pages // 2)}"),
        "grid, failed trials": lambda: client.get(f"{base}?status=failed"),
        "grid, sorted": lambda: client.get(f"{base}?sort=passed"),
        "map of the grid": lambda: client.get(f"{base}map/"),
        "poll of a live run": lambda: poll(live, f"/runs/{live.pk}/"),
        "summary": lambda: client.get(summary),
        "list of runs": lambda: client.get("/runs/"),
        "metrics": lambda: client.get(f"{base}metrics/"),
        "charts": lambda: client.get(f"{base}charts/"),
        "results of the pack": lambda: client.get(f"/results/{pack}/"),
        "cases of the pack": lambda: client.get(f"/results/{pack}/cases/"),
        "failures of the pack": lambda: client.get(f"/results/{pack}/failures/"),
        "compare six": lambda: client.get(compared_six),
        "poll of a comparison": lambda: poll(compared[0], compared_six),
        # What a process has not seen yet, and what changed since.
        "first run page": lambda: anew(base),
        "first map": lambda: anew(f"{base}map/"),
        "map after a change": lambda: changed(f"{base}map/"),
        "sorted after a change": lambda: changed(f"{base}?sort=passed"),
        "first summary": lambda: anew(summary),
        "summary after a change": lambda: changed(summary),
        "first comparison of six": lambda: anew(compared_six),
    }


def exported(client: Client, run: Run, kind: str) -> tuple[float, float]:
    """Milliseconds to the first byte of an export, and trials a second while it goes on."""
    start = time.perf_counter()
    parts: Iterator[bytes] = iter(client.get(f"/runs/{run.pk}/export/{kind}/").streaming_content)
    next(parts)
    first, start = time.perf_counter() - start, time.perf_counter()
    count = sum(1 for _ in islice(parts, EXPORTED))
    return first * 1000, count / max(time.perf_counter() - start, 1e-9)
