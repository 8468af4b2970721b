import pytest
from django.urls import reverse

from packs.access import Role
from packs.models import GitFolder, Job
from runs.models import Secret
from tests.packs.drafts import draft_of
from tests.people import client_of, make_member

pytestmark = pytest.mark.django_db
URL = reverse("packs:git", args=["default", "parcels"])


@pytest.fixture
def draft(team, settings):
    settings.WORKSPACE_SOURCES = ["https://git.example.org/"]
    secret = Secret(team=team, name="GIT_TOKEN")
    secret.set_value("let me in")
    secret.save()
    return draft_of(team)


@pytest.fixture
def as_administrator(team):
    return client_of(make_member(team, Role.ADMINISTRATOR))


PLACE = {"address": "https://git.example.org/a/b.git", "branch": "main", "folder": "/packs/x/", "secret": "GIT_TOKEN"}


def test_an_administrator_binds_a_pack_changes_where_it_lives_and_unbinds_it(as_administrator, draft):
    assert "GIT_TOKEN" in as_administrator.get(URL).text
    response = as_administrator.post(URL, PLACE)
    job = Job.objects.get()
    assert (response.url, job.kind) == (reverse("packs:job", args=[job.pk]), "git-look")
    row = GitFolder.objects.get()
    assert (row.pack, row.folder, row.secret) == (draft, "packs/x", "GIT_TOKEN")
    assert "is under way" in as_administrator.get(URL).text
    as_administrator.post(URL, PLACE | {"branch": "next"})
    assert GitFolder.objects.get().branch == "next"
    as_administrator.post(reverse("packs:git-act", args=["default", "parcels", "unbind"]))
    assert not GitFolder.objects.exists()


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"address": "https://elsewhere.example/x.git"}, "PACKWRIGHT_WORKSPACE_SOURCES"),
        ({"branch": "a..b"}, "cannot be the name of a branch"),
        ({"folder": "../up"}, "not a folder of a repository"),
        ({"secret": "OTHER"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_bound_is_shown_at_its_field(as_administrator, draft, changed, expected):
    response = as_administrator.post(URL, PLACE | changed)
    assert response.status_code == 422
    assert expected in response.text
    assert not GitFolder.objects.exists()


def test_others_see_where_it_lives_and_no_settings(as_author, draft):
    assert "An administrator" in as_author.get(URL).text
    GitFolder.objects.create(pack=draft, address="https://git.example.org/a.git", branch="main")
    page = as_author.get(URL).text
    assert "https://git.example.org/a.git" in page
    assert "GIT_TOKEN" not in page
    act = reverse("packs:git-act", args=["default", "parcels", "push"])
    assert as_author.post(act, {"message": "x", "branch": "main"}).status_code == 403
