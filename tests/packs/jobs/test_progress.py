import pytest

from packs.formats import adapter_of
from packs.jobs.progress import Progress, Stopped, watched
from packs.models import Job
from tests.packs.drafts import pack_text


@pytest.fixture
def job(team, author):
    return Job.objects.create(kind="look", team=team, user=author, title="x", status="running")


def test_a_walk_through_the_cases_is_told_as_a_phase(job, monkeypatch):
    monkeypatch.setattr("packs.jobs.progress.SECONDS", 0)
    monkeypatch.setattr("packs.jobs.progress.STEP", 1)
    tree, _ = adapter_of("challenge_pack").load({"pack.yaml": pack_text(5)})
    same = watched(tree, Progress(job.pk), "Checking")
    assert [case.key for case in same.input_sets[0].cases] == [case.key for case in tree.input_sets[0].cases]
    job.refresh_from_db()
    assert (job.phase, job.done, job.total) == ("Checking", 4, 5)
    assert list(adapter_of("challenge_pack").check(same)) == list(adapter_of("challenge_pack").check(tree))
    assert same.input_sets[0].cases[1] == tree.input_sets[0].cases[1]


def test_progress_stops_what_somebody_cancelled_or_took_over(job):
    progress = Progress(job.pk)
    progress.phase("Reading")
    Job.objects.filter(pk=job.pk).update(status="queued")
    with pytest.raises(Stopped):
        progress.phase("Writing")
