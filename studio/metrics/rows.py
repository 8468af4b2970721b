"""What the database and the disk hold, as Prometheus reads it; each scrape asks anew, but for sums over all trials."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.models import Count, Sum
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from packs.models import Blob, Pack, PackVersion
from runs.jobs.queue.workers import worker_health
from runs.models import Run, Trial, TrialCount
from runs.models.judge_calls import judge_calls
from studio.disk import folders
from studio.metrics.queues import queues

# Sums that read every trial hold for so many seconds.
LASTING = 60.0


class Rows:
    """A collector of figures about rows and files."""

    def collect(self) -> Iterator[Metric]:
        yield gauge("packs", "Packs", Pack.objects.count())
        yield gauge("versions", "Published versions", PackVersion.objects.count())
        health = worker_health()
        yield gauge("workers", "Worker processes alive", health.workers)
        yield gauge("worker_slots", "Jobs that the living workers do at once", health.slots)
        yield from waiting()
        yield from outcomes()
        yield from spending()
        yield from storage()


def gauge(name: str, says: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"packwright_{name}", says, value=value)


def labelled(name: str, says: str, label: str, values: dict[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"packwright_{name}", says, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def waiting() -> Iterator[Metric]:
    found = queues()
    yield labelled("queue_depth", "Things that wait for a worker", "queue", {one.name: one.depth for one in found})
    ages: dict[str, float] = {one.name: one.seconds for one in found}
    yield labelled("queue_age_seconds", "Seconds that the oldest of them has waited", "queue", ages)


def outcomes() -> Iterator[Metric]:
    rows = Run.objects.order_by().values_list("status").annotate(Count("pk"))
    yield labelled("runs", "Runs by status", "status", dict(rows))
    trials = TrialCount.objects.order_by().values_list("status").annotate(total=Sum("trials")).filter(total__gt=0)
    yield labelled("trials", "Trials by status", "status", dict(trials))
    blamed = TrialCount.objects.exclude(fault="").order_by().values_list("fault").annotate(Sum("trials"))
    yield labelled("trial_faults", "Trials by who is to blame for them", "fault", dict(blamed))


def spending() -> Iterator[Metric]:
    spent = SPENT.now()
    tokens = {"agents": spent["tokens"], "judges": spent["judge_tokens"]}
    yield labelled("tokens", "Tokens that stored trials used up", "by", tokens)
    money = {"agents": spent["cost"], "judges": spent["judge_cost"]}
    yield labelled("cost_usd", "US dollars that stored trials cost, as far as prices are known", "by", money)
    yield CounterMetricFamily(
        "packwright_judge_calls", "Calls of judges whose replies were recorded", value=judge_calls()
    )


def storage() -> Iterator[Metric]:
    files = Blob.objects.aggregate(total=Sum("size"))["total"] or 0
    yield labelled("stored_bytes", "Bytes by where they are", "in", {"files": files, "database": database_bytes()})
    free = {str(folder): free_bytes(folder) for folder in dict.fromkeys(folders())}
    yield labelled("disk_free_bytes", "Bytes left on the disk of a folder", "folder", free)


def free_bytes(folder: Path) -> float:
    status = os.statvfs(folder)
    return float(status.f_bavail * status.f_frsize)


def database_bytes() -> float:
    """How large the database is, with its indexes."""
    if connection.vendor == "sqlite":
        name = Path(settings.DATABASES["default"]["NAME"])
        parts = (name, name.with_name(f"{name.name}-wal"))
        return float(sum(part.stat().st_size for part in parts if part.exists()))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return float(cursor.fetchone()[0])


class Spent:
    """What all trials used up, read again when that was a while ago."""

    def __init__(self) -> None:
        self.read_at = 0.0
        self.sums: dict[str, float] = {}

    def now(self) -> dict[str, float]:
        if not self.sums or time.monotonic() - self.read_at > LASTING:
            found = Trial.objects.aggregate(
                tokens=Sum("total_tokens"),
                cost=Sum("cost_usd"),
                judge_tokens=Sum("judge_tokens"),
                judge_cost=Sum("judge_cost_usd"),
            )
            self.sums, self.read_at = {name: float(value or 0) for name, value in found.items()}, time.monotonic()
        return self.sums


SPENT = Spent()
