import pytest

from packs.formats import adapter_of
from packs.importing import ImportRefused
from packs.importing.reading import Reading
from packs.importing.writing import NO_SOURCE
from packs.jobs.arriving import forget_unfinished, written
from packs.jobs.progress import Progress, Stopped
from packs.models import Job, JobStatus, Pack, PackStatus


@pytest.fixture
def job(team, author):
    return Job.objects.create(kind="import", team=team, user=author, title="Import", status=JobStatus.RUNNING)


def reading(tree):
    return Reading("agentv", "desk", tree, None, [], [])


def test_a_new_draft_is_there_once_it_is_written_whole(job):
    pack = written(job, Progress(job.pk), reading(adapter_of("agentv").starter("desk", "Desk")), NO_SOURCE)
    job.refresh_from_db()
    assert (pack.status, pack.cases.count(), job.parameters["pack"]) == (PackStatus.DRAFT, 1, pack.pk)
    forget_unfinished(job)
    assert Pack.objects.filter(pk=pack.pk).exists()


def test_a_job_that_is_stopped_leaves_no_draft(job):
    Job.objects.update(status=JobStatus.CANCELLED)
    with pytest.raises(Stopped):
        written(job, Progress(job.pk), reading(adapter_of("agentv").starter("desk", "Desk")), NO_SOURCE)
    assert not Pack.objects.exists()


def test_what_has_no_tree_is_refused(job):
    with pytest.raises(ImportRefused):
        written(job, Progress(job.pk), reading(None), NO_SOURCE)
