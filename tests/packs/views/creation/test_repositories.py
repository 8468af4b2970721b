import pytest
from django.urls import reverse

from packs import editing
from packs.access import Role
from packs.editing import Change
from packs.formats.archives import read_path
from packs.jobs import execute_job
from packs.models import GitFolder, Job, Pack
from packs.repositories import fetch, outgoing, push
from runs.models import Secret
from tests.packs.test_repositories import SAMPLES, again, server  # noqa: F401 - a fixture
from tests.people import client_of, make_member

pytestmark = pytest.mark.django_db
URL = reverse("packs:new-git")
SAMPLE = "refund-desk"


@pytest.fixture
def administrator(team):
    secret = Secret(team=team, name="GIT")
    secret.set_value("let me in")
    secret.save()
    return make_member(team, Role.ADMINISTRATOR)


@pytest.fixture
def as_administrator(administrator):
    return client_of(administrator)


@pytest.fixture
def place(server):
    files, _ = read_path(SAMPLES / SAMPLE)
    address = server.make(
        "evals", {"README.md": b"x\n", **{f"evals/desk/{path}": data for path, data in files.items()}}
    )
    return {"address": address, "branch": "main", "folder": "evals/desk", "user": "ann", "secret": "GIT"}


def looked(client, place, team, **more):
    """The page of the job that has looked at a folder."""
    response = client.post(URL, {**place, "team": team.pk, **more})
    assert response.status_code == 302, response.text
    execute_job(Job.objects.latest("pk").pk)
    return client.get(response.url)


def test_a_folder_is_looked_at_and_becomes_a_pack_that_is_bound_to_it(
    as_administrator, administrator, place, team, server
):
    page = looked(as_administrator, place, team)
    assert "Create and bind" in page.text
    assert "evals/desk" in page.text
    assert not Pack.objects.exists()
    confirmed = as_administrator.post(reverse("packs:import-confirm"), {"token": page.context["preview"].token})
    pack = Pack.objects.get()
    assert confirmed.url == reverse("packs:overview", args=[team.slug, pack.slug])
    row = again(GitFolder.objects.get(pack=pack))
    assert not outgoing(row)
    seen = row.commit
    fetch(row)
    assert (row.fetched_commit, row.is_behind) == (seen, False)
    page = reverse("packs:git", args=[team.slug, pack.slug])
    assert "Nothing to push" in as_administrator.get(page).text
    case = pack.cases.first()
    editing.apply(pack, [Change(case.kind, case.pk, "/note", "new")], administrator)
    assert [act for _, act in as_administrator.get(page).context["outgoing"]] == ["changed"]
    push(again(row), administrator, "Say more")
    files, last = server.at("evals")
    assert last.endswith("Say more")
    assert sum(b"note: new" in data for data in files.values()) == 1
    assert files["README.md"] == b"x\n"


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"address": "https://elsewhere.example/x.git"}, "PACKWRIGHT_WORKSPACE_SOURCES"),
        ({"branch": "a..b"}, "cannot be the name of a branch"),
        ({"folder": "../up"}, "not a folder of a repository"),
        ({"secret": "OTHER"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_a_folder_is_said_at_its_field(as_administrator, place, team, changed, expected):
    response = as_administrator.post(URL, {**place, "team": team.pk, **changed})
    assert response.status_code == 422
    assert expected in response.text
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("folder", "expected"), [("none", "has no files"), ("docs", "cannot become a pack"), ("two", "There are 2 packs")]
)
def test_a_folder_that_holds_no_pack_or_several_makes_none(as_administrator, place, team, folder, expected, server):
    sample = (SAMPLES / "unit-conversion.yaml").read_bytes()
    server.push("evals", {"docs/a.md": b"words", "two/a.yaml": sample, "two/b.yaml": sample})
    page = looked(as_administrator, {**place, "folder": folder}, team)
    assert expected in page.text
    assert f"?look={Job.objects.get().pk}" in page.text
    assert "Create and bind" not in page.text


def test_a_slug_that_is_taken_is_refused_and_another_one_is_taken(as_administrator, place, team):
    for slug in ("", "other"):
        page = looked(as_administrator, place, team, slug=slug)
        as_administrator.post(reverse("packs:import-confirm"), {"token": page.context["preview"].token})
    assert Pack.objects.filter(slug="other").exists()
    assert GitFolder.objects.count() == 2
    page = looked(as_administrator, place, team, slug="other")
    assert "Create and bind" not in page.text
    assert looked(as_administrator, place, team).context["preview"].slug.endswith("-2")
    assert Pack.objects.count() == 2
    again = as_administrator.get(URL, {"look": Job.objects.latest("pk").pk})
    assert place["address"] in again.text
    assert as_administrator.get(URL, {"look": "0"}).status_code == 404


def test_who_may_not_bind_packs_creates_none_this_way(as_author, as_administrator, administrator, place, team):
    assert as_author.get(URL).status_code == 403
    page = looked(as_administrator, place, team)
    team.memberships.filter(user=administrator).update(role=Role.AUTHOR)
    token = page.context["preview"].token
    assert as_administrator.post(reverse("packs:import-confirm"), {"token": token}).status_code == 403
    assert not Pack.objects.exists()


def test_a_program_does_the_same(as_administrator, place, team):
    made = as_administrator.post("/api/v1/packs/git/", {**place, "slug": "desk"}, content_type="application/json")
    assert made.status_code == 202
    execute_job(made.json()["id"])
    outcome = as_administrator.get(f"/api/v1/jobs/{made.json()['id']}/").json()["outcome"]
    sent = {"token": outcome["token"]}
    pack = as_administrator.post("/api/v1/packs/import/confirm/", sent, content_type="application/json").json()
    assert pack["slug"] == "desk"
    assert as_administrator.get(f"/api/v1/packs/{pack['id']}/git/").json()["folder"] == "evals/desk"
