import pytest
from django.urls import reverse

from packs.access import Role
from packs.jobs import execute_job
from packs.models import GitFolder, Job
from tests.packs.test_repositories import apart, bound, in_folder, server, title  # noqa: F401 - fixtures
from tests.people import client_of, make_member

pytestmark = pytest.mark.django_db


@pytest.fixture
def as_curator(team):
    return client_of(make_member(team, Role.CURATOR))


def done(client, pack, what, **given):
    """What a job gave that a page began, and its row."""
    url = reverse("packs:git-act", args=[pack.team.slug, pack.slug, what])
    response = client.post(url, given)
    job = Job.objects.latest("pk")
    assert response.url == reverse("packs:job", args=[job.pk])
    execute_job(job.pk)
    job.refresh_from_db()
    return client.get(response.url, follow=True).text, job


def test_a_person_looks_decides_pulls_and_pushes(apart, as_curator, server):
    pack = apart.pack
    page, job = done(as_curator, pack, "look")
    (conflict,) = job.outcome["conflicts"]
    assert (conflict["field"], conflict["ours"], conflict["theirs"]) == (
        "pack.name",
        "Our name",
        "Their Unit conversion",
    )
    assert job.outcome["incoming"] == "Settings of the pack changed."
    assert "Both sides changed 1 thing." in page
    assert f'name="side:{conflict["name"]}"' in page
    assert "Push the draft" not in page
    given = {"commit": job.outcome["commit"], "seen": [conflict["name"]], f"side:{conflict['name']}": "theirs"}
    page, job = done(as_curator, pack, "pull", **given)
    assert "Undo takes it back" in page
    assert title(apart) == "Their Unit conversion"
    page, job = done(as_curator, pack, "push", message="Nothing", branch="main")
    assert (job.status, job.outcome["code"]) == ("refused", "nothing")
    assert "say the same" in page


def test_what_was_not_looked_at_is_not_pulled(apart, as_curator):
    _, job = done(as_curator, apart.pack, "look")
    _, old = done(as_curator, apart.pack, "pull", commit="0" * 40, seen=[])
    _, unseen = done(as_curator, apart.pack, "pull", commit=job.outcome["commit"], seen=[])
    assert (old.outcome["code"], unseen.outcome["code"]) == ("changed", "unseen_conflicts")
    assert title(apart) == "Our name"


def test_trouble_with_the_repository_is_said_and_changes_nothing(apart, as_curator, server):
    GitFolder.objects.update(branch="gone")
    page, job = done(as_curator, apart.pack, "look")
    assert (job.status, job.outcome["code"]) == ("refused", "no_branch")
    assert "It has: main" in page
    GitFolder.objects.all().delete()
    page, job = done(as_curator, apart.pack, "look")
    assert job.outcome["code"] == "not_bound"
