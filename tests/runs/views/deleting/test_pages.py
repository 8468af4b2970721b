"""The pages of the bin: who may do what there, and what is no longer shown."""

import pytest
from django.urls import reverse

from packs.access import Role
from runs.launch.launching import Options, launch
from runs.models import Release, Run, SharedPage
from tests.people import client_of, make_member
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(version, author, agents):
    return work_off(launch(author, version, [agents["echo"]], Options()))


def bin_of(run):
    return reverse("runs:bin", args=[run.team.slug])


def act(client, run, name):
    return client.post(reverse("runs:bin-act", args=[run.team.slug, "run", run.pk, name]))


def test_a_shared_page_answers_no_more_while_its_run_lies_in_the_bin(client, as_administrator, run):
    shared = reverse("runs:shared", args=[SharedPage.objects.create(team=run.team, subject=f"run:{run.pk}").token])
    assert client.get(shared).status_code == 200
    as_administrator.post(reverse("runs:delete", args=[run.pk]))
    assert client.get(shared).status_code == 404
    act(as_administrator, run, "restore")
    assert client.get(shared).status_code == 200


def test_what_needs_a_run_is_said_and_keeps_it(as_administrator, run):
    Release.objects.create(pack=run.version.pack, run=run, name="2.4.0")
    page = reverse("runs:delete", args=[run.pk])
    assert "2.4.0" in as_administrator.get(page).text
    answer = as_administrator.post(page, follow=True)
    assert "Take the release off the run first." in answer.text
    assert Run.objects.filter(pk=run.pk).exists()


def test_curators_bring_back_and_administrators_alone_delete_for_ever(team, author, as_administrator, run):
    as_curator, as_author = client_of(make_member(team, Role.CURATOR)), client_of(author)
    assert as_author.post(reverse("runs:delete", args=[run.pk])).status_code == 403
    as_curator.post(reverse("runs:delete", args=[run.pk]))
    assert run.title in as_author.get(bin_of(run)).text
    assert act(as_author, run, "restore").status_code == 403
    assert act(as_curator, run, "purge").status_code == 403
    act(as_curator, run, "restore")
    assert Run.objects.filter(pk=run.pk).exists()
    assert act(as_administrator, run, "purge").status_code == 404
    as_curator.post(reverse("runs:delete", args=[run.pk]))
    act(as_administrator, run, "purge")
    assert not Run._base_manager.filter(pk=run.pk).exists()
