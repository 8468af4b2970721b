"""Signs of life for machines: `/healthz`, `/readyz` and `/metrics`."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.admin.views.decorators import staff_member_required
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from redis import Redis, RedisError
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from packs.models import Pack, PackVersion
from runs.jobs.queue.workers import worker_health
from runs.models import Run, Trial
from studio.authentication import TokenAuthentication
from studio.disk import is_full

# Seconds that Redis has to answer.
PATIENCE = 3.0


@require_GET
def healthz(request: HttpRequest) -> HttpResponse:
    """The web process answers."""
    return JsonResponse({"status": "ok"})


@require_GET
def readyz(request: HttpRequest) -> HttpResponse:
    """The database answers, its tables are up to date, there is room on disk, and Redis answers where it is the broker;
    503 with the reason otherwise."""
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        return JsonResponse({"status": "unavailable", "reason": type(error).__name__}, status=503)
    if pending:
        return JsonResponse({"status": "unavailable", "reason": "migrations are pending"}, status=503)
    if is_full():
        return JsonResponse({"status": "unavailable", "reason": "the disk is full"}, status=503)
    if settings.REDIS_URL and not redis_answers():
        return JsonResponse({"status": "unavailable", "reason": "Redis does not answer"}, status=503)
    return JsonResponse({"status": "ok"})


def redis_answers() -> bool:
    with Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE) as server:
        try:
            return bool(server.ping())
        except RedisError:
            return False


View = Callable[[HttpRequest], HttpResponse]


def also_by_key(view: View) -> View:
    """Let machines in that send a key of the API in place of a session; 401 for one that is not valid."""

    def answer(request: HttpRequest) -> HttpResponse:
        try:
            found = TokenAuthentication().authenticate(Request(request))
        except AuthenticationFailed:
            return HttpResponse("This key is unknown or no longer valid.", status=401, content_type="text/plain")
        if found is not None:
            request.user, token = found
            if token.reach.teams is not None:
                reported = "This key is for some teams only; these figures are of all."
                return HttpResponse(reported, status=403, content_type="text/plain")
        return view(request)

    return answer


@also_by_key
@staff_member_required
@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """Counts of rows by state, in Prometheus' text format."""
    registry = CollectorRegistry()
    Gauge("packwright_packs", "Packs", registry=registry).set(Pack.objects.count())
    Gauge("packwright_versions", "Published versions", registry=registry).set(PackVersion.objects.count())
    Gauge("packwright_workers", "Worker processes alive", registry=registry).set(worker_health().workers)
    for name, model in (("runs", Run), ("trials", Trial)):
        gauge = Gauge(f"packwright_{name}", f"{name.capitalize()} by status", ["status"], registry=registry)
        for row in model.objects.order_by().values("status").annotate(total=Count("pk")):
            gauge.labels(row["status"]).set(row["total"])
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
