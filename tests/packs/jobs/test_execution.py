from datetime import timedelta

import pytest
from django.utils import timezone

from packs.jobs import cancel, execute_job, send_lost_jobs, start
from packs.models import Job
from tests.packs.grid.benchmark import grid_draft


@pytest.fixture
def job(team, author):
    return Job.objects.create(kind="export", team=team, user=author, pack=grid_draft(team), title="x")


def test_a_job_that_waits_is_stopped_at_once_and_never_begins(job):
    assert cancel(job)
    execute_job(job.pk)
    job.refresh_from_db()
    assert job.status == "cancelled"
    assert not cancel(job)


def test_a_job_at_work_is_told_to_stop(job):
    Job.objects.filter(pk=job.pk).update(status="running")
    assert cancel(job)
    job.refresh_from_db()
    assert (job.status, job.cancel_requested_at is None) == ("running", False)


def test_a_second_message_does_the_work_no_second_time(job):
    execute_job(job.pk)
    job.refresh_from_db()
    ended = job.finished_at
    execute_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.finished_at) == ("completed", ended)


@pytest.mark.parametrize(("status", "silent"), [("queued", 60), ("running", 600)])
def test_a_lost_job_waits_for_a_worker_again(job, status, silent):
    assert send_lost_jobs() == 0
    Job.objects.filter(pk=job.pk).update(status=status, touched_at=timezone.now() - timedelta(seconds=silent))
    assert send_lost_jobs() == 1
    job.refresh_from_db()
    assert job.status == "queued"
    assert send_lost_jobs() == 0


def test_a_mistake_of_ours_ends_the_job_and_says_so(job):
    Job.objects.filter(pk=job.pk).update(kind="unknown")
    execute_job(job.pk)
    job.refresh_from_db()
    assert job.status == "failed"
    assert job.error


def test_a_job_is_sent_when_its_transaction_is_over(team, author, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        start("look", team=team, user=author, title="x")
    assert len(callbacks) == 1
