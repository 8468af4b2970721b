"""Requests as the web processes answer them, counted in each and added up where there are several.

`PROMETHEUS_MULTIPROC_DIR`, which `studio.serving.command` sets before several processes start, is where these share
their counts; it has to be there before `prometheus_client` is imported.
"""

import os
import time
from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponseBase
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector

SHARED = "PROMETHEUS_MULTIPROC_DIR"
# Seconds; pages and calls answer within the first of them, uploads and exports take the last.
BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
REQUESTS = Counter("packwright_http_requests", "Requests answered", ["method", "view", "status"], registry=None)
DURATIONS = Histogram(
    "packwright_http_request_seconds", "Seconds until an answer began", ["kind"], registry=None, buckets=BUCKETS
)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
API = "/api/"


class Measured:
    """Middleware: counts every request by method, view and status, and notes how long it took."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        response = self.get_response(request)
        matched = request.resolver_match
        # Addresses and methods are what anybody sends: only those that there are become labels.
        method = request.method if request.method in METHODS else "other"
        view = matched.view_name if matched and matched.view_name else "unknown"
        REQUESTS.labels(method, view, response.status_code).inc()
        kind = "api" if request.path_info.startswith(API) else "page"
        DURATIONS.labels(kind).observe(time.perf_counter() - began)
        return response


class Requests:
    """A collector of what all web processes of this machine counted."""

    def collect(self) -> Iterator[Metric]:
        if os.environ.get(SHARED):
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # prometheus_client has no types here
            yield from registry.collect()
            return
        yield from REQUESTS.collect()
        yield from DURATIONS.collect()
