"""The figures of `/metrics` as charts."""

from datetime import timedelta

import pytest
from django.utils import timezone
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily

from packs import blobs
from packs.models import Job
from studio.metrics.collected import everything
from studio.metrics.pictures import DURATIONS, FIGURES, PICTURES, PREFIX, charts, figures, samples_by_family
from tests.runs.queues import begin_run


def drawn(*families):
    """The rows of each chart by its key."""
    return {chart.key: chart.rows for chart in charts(samples_by_family(families))}


@pytest.mark.django_db
def test_no_figure_is_left_out():
    shown = {*FIGURES, DURATIONS, *(picture.family for picture in PICTURES)}
    assert {family.name.removeprefix(PREFIX) for family in everything().collect()} == shown


@pytest.mark.django_db
def test_charts_show_what_prometheus_reads(team, author):
    begin_run(team, author, cases=3)
    blobs.put(b"x" * 2000)
    job = Job.objects.create(kind="look", team=team, user=author)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(hours=1))
    registry = everything()
    found = drawn(*registry.collect())
    assert found["runs"] == (("Completed", 1),)
    assert found["trials"] == (("Passed", 3),)
    assert found["depth"] == (("Jobs", 1), ("Runs", 0), ("Trials", 0))
    assert dict(found["age"])["Jobs"] >= 3600
    files = registry.get_sample_value("packwright_stored_bytes", {"in": "files"})
    assert dict(found["stored"])["Files"] == files >= 2000
    assert dict(figures(samples_by_family(registry.collect())))["Versions"] == 1


def test_requests_are_added_up_by_status_and_mistakes_by_page():
    family = CounterMetricFamily(f"{PREFIX}http_requests", "", labels=["method", "view", "status"])
    for method, view, status, value in (("GET", "a", "200", 5), ("POST", "a", "500", 2), ("GET", "b", "503", 1)):
        family.add_metric([method, view, status], value)
    family.add_metric(["POST", "b", "500"], 1)
    found = drawn(family)
    assert found["requests"] == (("200 OK", 5), ("500 Internal Server Error", 3), ("503 Service Unavailable", 1))
    assert found["mistakes"] == (("a", 2), ("b", 2))


def test_a_bar_has_the_requests_between_two_ends_of_buckets():
    family = HistogramMetricFamily(f"{PREFIX}{DURATIONS}", "", labels=["kind"])
    family.add_metric(["api"], [("0.5", 1), ("1.0", 1), ("+Inf", 4)], 9.0)
    family.add_metric(["page"], [("0.5", 2), ("1.0", 7), ("+Inf", 7)], 5.0)
    assert drawn(family)["seconds"] == (("up to 0.5 s", 2, 1), ("0.5 to 1 s", 5, 0), ("over 1 s", 0, 3))


def test_before_the_first_request_there_is_nothing_to_draw():
    assert drawn() == {}
