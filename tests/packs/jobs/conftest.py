import pytest

from packs.jobs import execute_job
from packs.models import Job


@pytest.fixture
def work(team, author):
    """Make a job and do its work at once: `work("look", parameters={...})`."""

    def act(kind, **columns):
        job = Job.objects.create(**{"kind": kind, "team": team, "user": author, "title": kind, **columns})
        execute_job(job.pk)
        job.refresh_from_db()
        return job

    return act
