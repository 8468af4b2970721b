"""Jobs that need more than one may use end with a finding, and leave nothing behind."""

import sys
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from packs import blobs
from packs.importing.previewing import keep_upload
from packs.importing.reading import read
from packs.importing.writing import keep_source
from packs.jobs import MAX_ATTEMPTS, execute_job, send_lost_jobs
from packs.jobs.budget import Overspent, budget
from packs.models import Job, Pack, Upload
from tests.packs.drafts import draft_of, pack_text
from tests.people import client_of

UNKNOWN_KEYS = b"pack:\n  slug: x\n" + b"".join(b"key%d: 1\n" % number for number in range(30_000))


def spin(seconds=60):
    """Use so much processor time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_work_that_takes_more_processor_time_than_it_may_is_interrupted():
    with pytest.raises(Overspent) as spent, budget(0.05, 1000):
        spin()
    assert spent.value.finding.code == "pack.E020"
    assert "0.05 s" in spent.value.finding.message


def test_work_that_takes_more_memory_than_it_may_ends_and_the_process_goes_on():
    with pytest.raises(Overspent) as spent, budget(60, 50):
        bytearray(500_000_000)
    assert spent.value.finding.code == "pack.E021"
    assert len(bytearray(500_000_000)) == 500_000_000


class Leaving:
    """What takes its time when it is thrown away."""

    def __del__(self):
        spin(0.5)


def leave_and_spin():
    Leaving()
    spin(10)


def test_work_that_is_interrupted_where_python_drops_it_is_interrupted_again():
    hook = sys.unraisablehook
    with pytest.raises(Overspent), budget(0.05, 500):
        leave_and_spin()
    assert sys.unraisablehook is hook


def test_work_within_its_budget_is_left_alone():
    with budget(60, 1000):
        found = sum(range(1000))
    assert found == 499_500


def test_a_check_that_spends_its_budget_is_refused_with_a_finding_on_its_page(work, author, settings):
    settings.JOB_SECONDS = 0.05
    parameters = {"files": {"pack.yaml": blobs.put(UNKNOWN_KEYS).digest}, "name": "pack.yaml"}
    job = work("look", parameters=parameters)
    assert (job.status, job.outcome["code"]) == ("refused", "over_budget")
    (finding,) = job.outcome["findings"]
    assert finding["code"] == "pack.E020"
    assert "PACKWRIGHT_JOB_SECONDS" in finding["hint"]
    shown = client_of(author).get(f"/packs/jobs/{job.pk}/").content.decode()
    assert "more than 0.05 s of processor time" in shown


def test_an_import_that_spends_its_budget_writes_nothing_and_keeps_the_files(work, team, author, settings):
    files = {"pack.yaml": pack_text(2000)}
    reading = read(team, files, "pack.yaml")
    waiting = keep_upload(team, author, "pack.yaml", reading, keep_source(files, "pack.yaml"))
    settings.JOB_SECONDS = 0.1
    job = work("import", parameters={"token": str(waiting.token)})
    assert (job.status, job.outcome["code"]) == ("refused", "over_budget")
    assert not Pack.objects.exists()
    assert Upload.objects.get() == waiting
    settings.JOB_SECONDS = 300
    assert work("import", parameters={"token": str(waiting.token)}).status == "completed"


def test_a_job_that_ends_worker_after_worker_is_not_tried_for_ever(team, author):
    job = Job.objects.create(kind="export", team=team, user=author, pack=draft_of(team, pack_text(1)), title="x")
    silent = timezone.now() - timedelta(hours=1)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        # As a worker leaves it that dies at its work.
        Job.objects.filter(pk=job.pk).update(status="running", touched_at=silent, attempts=attempt)
        send_lost_jobs()
        job.refresh_from_db()
        assert job.status == ("failed" if attempt == MAX_ATTEMPTS else "queued")
    assert "worker" in job.error


def test_each_worker_that_begins_a_job_is_counted(team, author):
    job = Job.objects.create(kind="export", team=team, user=author, pack=draft_of(team, pack_text(1)), title="x")
    execute_job(job.pk)
    job.refresh_from_db()
    assert job.attempts == 1
