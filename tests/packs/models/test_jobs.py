import pytest

from packs.models import Job, JobStatus
from packs.models.jobs import YOUNG


@pytest.mark.parametrize("status", JobStatus)
def test_a_job_is_open_until_it_has_ended_somehow(team, author, status):
    job = Job.objects.create(kind="look", team=team, user=author, title="large.zip", status=status)
    assert job.is_open == (status in {"queued", "running"})


def test_a_job_is_there_for_its_team_only(team, author, stranger):
    job = Job.objects.create(kind="look", team=team, user=author, title="large.zip")
    assert list(Job.objects.visible_to(author)) == [job]
    assert not Job.objects.visible_to(stranger).exists()


def test_pages_look_at_a_new_job_more_often_than_at_an_old_one(team, author):
    job = Job.objects.create(kind="look", team=team, user=author, title="large.zip")
    assert job.look_again == "300ms"
    job.created_at -= 2 * YOUNG
    assert job.look_again == "1s"
