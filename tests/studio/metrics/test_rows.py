"""Figures about rows and files, and the files for Grafana and Prometheus that name them."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest

from packs import blobs
from runs.models import Event, Trial
from runs.models.trials import REPLY
from runs.retention import remove_recordings
from studio.metrics import rows
from studio.metrics.requests import Requests
from studio.metrics.rows import Rows, Spent
from tests.runs.queues import begin_run

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"
DASHBOARD, ALERTS = DEPLOY / "grafana/packwright.json", DEPLOY / "prometheus/alerts.yml"
pytestmark = pytest.mark.django_db


@pytest.fixture
def figures(monkeypatch):
    """Asks for a figure by its name and labels; sums are read anew each time."""
    monkeypatch.setattr(rows, "LASTING", -1.0)
    registry = CollectorRegistry()
    registry.register(Rows())
    return lambda name, **labels: registry.get_sample_value(f"packwright_{name}", labels)


def test_a_run_shows_in_outcomes_and_spending(team, author, figures):
    run = begin_run(team, author, cases=3)
    Trial.objects.filter(run=run).update(total_tokens=100, cost_usd=0.5, judge_tokens=7, judge_cost_usd=0.25)
    assert figures("runs", status="completed") == 1
    assert figures("trials", status="passed") == 3
    assert figures("tokens", by="agents") == 300
    assert figures("tokens", by="judges") == 21
    assert figures("cost_usd", by="agents") == 1.5
    assert figures("cost_usd", by="judges") == 0.75
    Trial.objects.filter(run=run).update(status="error", fault="machine")
    assert figures("trial_faults", fault="machine") == 3
    assert figures("trials", status="passed") is None


def test_files_and_the_database_have_sizes_and_disks_have_room(figures):
    blobs.put(b"x" * 1000)
    assert figures("stored_bytes", **{"in": "files"}) == 1000
    assert figures("stored_bytes", **{"in": "database"}) > 0
    registry = CollectorRegistry()
    registry.register(Rows())
    assert "packwright_disk_free_bytes{folder=" in generate_latest(registry).decode()


def test_calls_of_judges_are_a_counter_that_does_not_fall_when_retention_removes_their_replies(team, author, figures):
    run = begin_run(team, author, cases=1)
    trial = run.trials.get()
    told = {"source": "judge", "occurred_at": trial.finished_at, "event_type": REPLY}
    for number in range(3):
        Event.objects.create(trial=trial, sequence=1000 + number, **told)
    assert figures("judge_calls_total") == 3
    Trial.objects.update(finished_at=timezone.now() - timedelta(days=9))
    assert remove_recordings(run, days=8) == 1
    assert not Event.objects.exists()
    assert figures("judge_calls_total") == 3


def test_sums_over_all_trials_are_not_read_at_every_scrape(team, author, django_assert_num_queries):
    spent = Spent()
    spent.now()
    with django_assert_num_queries(0):
        spent.now()


def named_in(text):
    return set(re.findall(r"packwright_\w+", text))


def test_dashboard_and_alerts_name_only_figures_that_there_are_and_all_of_them():
    registry = CollectorRegistry()
    registry.register(Rows())
    registry.register(Requests())
    exported = set()
    for family in registry.collect():
        parts = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}.get(family.type, [""])
        exported.update(f"{family.name}{part}" for part in parts)
    dashboard, alerts = json.loads(DASHBOARD.read_text()), yaml.safe_load(ALERTS.read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = alerts["groups"][0]["rules"]
    named = named_in("\n".join([*asked, *(rule["expr"] for rule in rules)]))
    assert named <= exported
    families = {name.removesuffix("_sum").removesuffix("_count").removesuffix("_bucket") for name in exported - named}
    assert families <= {"packwright_http_request_seconds"}
    assert all(rule["annotations"]["summary"] and rule["labels"]["severity"] for rule in rules)
