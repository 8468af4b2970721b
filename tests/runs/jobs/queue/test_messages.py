"""The messages that bring runs to the workers."""

from pathlib import Path

import pytest
from django.utils import timezone

from runs.jobs.queue.messages import send, start
from runs.launch.launching import launch
from runs.models import WorkerBeat

pytestmark = pytest.mark.django_db


def messages(settings, run):
    """How many name this run: other tests leave theirs in the same folder."""
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    named = f'"argsrepr": "({run.pk},)"'.encode()
    return len([path for path in folder.glob("*") if named in path.read_bytes()])


@pytest.mark.parametrize(("slots", "jobs"), [(2, 2), (9, 3)])
def test_no_more_jobs_are_sent_than_can_be_of_use(author, version, agents, settings, slots, jobs):
    run = launch(author, version, [agents["echo"]])
    now = timezone.now()
    WorkerBeat.objects.create(name="w", seen_at=now, started_at=now, slots=slots)
    before = messages(settings, run)
    start(run.pk)
    assert messages(settings, run) - before == jobs
    run.refresh_from_db()
    assert run.enqueued_at >= now


def test_a_broker_that_cannot_be_reached_does_not_stop_a_launch(author, version, agents, settings, caplog):
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    away = folder.with_name("away")
    folder.mkdir(parents=True, exist_ok=True)
    folder.rename(away)
    folder.touch()
    try:
        assert not send(launch(author, version, [agents["echo"]]).pk)
    finally:
        folder.unlink()
        away.rename(folder)
    [said] = [record for record in caplog.records if record.msg == "broker-unreachable"]
    assert (said.exc_info, str(folder) in said.error) == (None, True)
