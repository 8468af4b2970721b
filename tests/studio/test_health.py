from datetime import timedelta

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from packs.models import Job
from studio.tokens import Wish, issue
from tests.people import PASSWORD
from tests.services import redis


@pytest.mark.django_db
def test_a_studio_whose_tables_are_up_to_date_is_ready(client):
    assert client.get("/readyz").status_code == 200


@pytest.mark.django_db
def test_pending_migrations_are_said(client):
    [newest] = MigrationLoader(connection).graph.leaf_nodes("runs")
    MigrationRecorder(connection).record_unapplied(*newest)
    answered = client.get("/readyz")
    assert (answered.status_code, answered.json()["reason"]) == (503, "migrations are pending")


@pytest.mark.django_db
def test_a_studio_whose_redis_is_down_is_not_ready_and_people_can_sign_in(client, author, settings):
    with redis() as server:
        settings.REDIS_URL = server.address
        assert client.get("/readyz").status_code == 200
        server.stop()
        try:
            answered = client.get("/readyz")
            assert (answered.status_code, answered.json()["reason"]) == (503, "Redis does not answer")
            sent = client.post("/sign-in/", {"username": author.username, "password": PASSWORD})
            assert (sent.status_code, client.get("/").status_code) == (302, 200)
        finally:
            server.start()


def test_numbers_are_for_staff(as_author):
    assert as_author.get("/metrics").status_code == 302


def test_staff_read_rows_by_status(administrator, client):
    administrator.is_staff = True
    administrator.save()
    client.force_login(administrator)
    assert "packwright_packs 0.0" in client.get("/metrics").content.decode()


def test_prometheus_reads_metrics_with_a_key_of_staff(client, author):
    _, key = issue(author, Wish("prometheus"))
    bearer = {"authorization": f"Bearer {key}"}
    assert client.get("/metrics", headers=bearer).status_code == 302
    author.is_staff = True
    author.save()
    assert b"packwright_packs" in client.get("/metrics", headers=bearer).content
    assert client.get("/metrics", headers={"authorization": "Bearer pw_none"}).status_code == 401


@pytest.mark.django_db
def test_readiness_says_how_long_things_wait_and_refuses_only_beyond_a_limit(client, team, author, settings):
    job = Job.objects.create(kind="look", team=team, user=author)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(hours=1))
    answered = client.get("/readyz")
    assert answered.status_code == 200
    assert answered.json()["checks"]["queue_seconds"]["jobs"] >= 3600
    settings.READY_QUEUE_SECONDS = 600.0
    answered = client.get("/readyz")
    assert (answered.status_code, answered.json()["reason"].startswith("jobs wait for 36")) == (503, True)
