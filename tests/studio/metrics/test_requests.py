"""Requests as Prometheus reads them."""

import subprocess
import sys

import pytest
from prometheus_client import CollectorRegistry

from studio.metrics.requests import Requests


def value(name, **labels):
    registry = CollectorRegistry()
    registry.register(Requests())
    return registry.get_sample_value(name, labels) or 0.0


@pytest.mark.django_db
def test_a_request_counts_by_its_view_and_status_and_its_time_is_noted(client):
    page = {"method": "GET", "view": "healthz", "status": "200"}
    lost = {"method": "GET", "view": "unknown", "status": "404"}
    before = value("packwright_http_requests_total", **page), value("packwright_http_requests_total", **lost)
    times = value("packwright_http_request_seconds_count", kind="page")
    client.get("/healthz")
    client.get("/no/such/page/4711/")
    after = value("packwright_http_requests_total", **page), value("packwright_http_requests_total", **lost)
    assert [now - then for now, then in zip(after, before, strict=True)] == [1, 1]
    assert value("packwright_http_request_seconds_count", kind="page") == times + 2


@pytest.mark.django_db
def test_a_method_that_somebody_invents_makes_no_label(client):
    client.generic("GUESSED", "/healthz")
    assert value("packwright_http_requests_total", method="GUESSED", view="healthz", status="405") == 0
    assert value("packwright_http_requests_total", method="other", view="healthz", status="405") >= 1


COUNT = "from studio.metrics.requests import REQUESTS; REQUESTS.labels('GET', 'home', 200).inc()"
TELL = """
from prometheus_client import CollectorRegistry
from studio.metrics.requests import Requests
registry = CollectorRegistry()
registry.register(Requests())
labels = {"method": "GET", "view": "home", "status": "200"}
print(registry.get_sample_value("packwright_http_requests_total", labels))
"""


def test_several_processes_add_up_what_they_count(tmp_path):
    def python(code):
        environment = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "PYTHONPATH": "."}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    python(COUNT)
    python(COUNT)
    assert float(python(TELL)) == 2
