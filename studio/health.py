"""Signs of life for machines: `/healthz`, `/readyz` and `/metrics`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.admin.views.decorators import staff_member_required
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from packs.formats.later import Later
from studio.authentication import TokenAuthentication
from studio.disk import is_full
from studio.metrics.collected import everything
from studio.metrics.queues import queues

if TYPE_CHECKING:
    import redis
else:
    redis = Later("redis")

# Seconds that Redis has to answer.
PATIENCE = 3.0


@require_GET
def healthz(request: HttpRequest) -> HttpResponse:
    """The web process answers."""
    return JsonResponse({"status": "ok"})


@require_GET
def readyz(request: HttpRequest) -> HttpResponse:
    """The database answers, its tables are up to date, there is room on disk, Redis answers where it is the broker, and
    nothing waits for too long where a limit is set; 503 with the reason otherwise."""
    checks: dict[str, Any] = {}
    for name, check in CHECKS.items():
        reason, checks[name] = check()
        if reason:
            return JsonResponse({"status": "unavailable", "reason": reason, "checks": checks}, status=503)
    return JsonResponse({"status": "ok", "checks": checks})


# Why the studio is not ready, empty where it is; and what to say of it.
Checked = tuple[str, Any]


def check_database() -> Checked:
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        return type(error).__name__, "does not answer"
    return ("migrations are pending", "answers") if pending else ("", "ok")


def check_disk() -> Checked:
    return ("the disk is full", "full") if is_full() else ("", "ok")


def check_broker() -> Checked:
    if settings.REDIS_URL and not redis_answers():
        return "Redis does not answer", "does not answer"
    return "", "ok"


def check_queues() -> Checked:
    """Seconds that the oldest of each kind has waited; too long only where `PACKWRIGHT_READY_QUEUE_SECONDS` says so."""
    found = {one.name: round(one.seconds, 1) for one in queues()}
    limit = settings.READY_QUEUE_SECONDS
    late = [name for name, seconds in found.items() if limit and seconds > limit]
    return (f"{late[0]} wait for {found[late[0]]:.0f} s" if late else ""), found


CHECKS: dict[str, Callable[[], Checked]] = {
    "database": check_database,
    "disk": check_disk,
    "broker": check_broker,
    "queue_seconds": check_queues,
}


def redis_answers() -> bool:
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE) as server:
        try:
            return bool(server.ping())
        except redis.RedisError:
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
    """Requests, queues, outcomes, spending and storage, in Prometheus' text format."""
    return HttpResponse(generate_latest(everything()), content_type=CONTENT_TYPE_LATEST)
