"""A key does what its scopes, teams and pack allow; expectations are written out by hand."""

import importlib

import pytest
from django.apps import apps
from django.test import Client

from packs.access import Role, Scope
from packs.models import Job, JobStatus, Membership, Team, Token
from studio.tokens import Wish, issue
from tests.access.world import make_world


@pytest.fixture
def world(db):
    return make_world("quokka")


@pytest.fixture
def elsewhere(db, world):
    """A second team with the same administrator."""
    second = make_world("wombat")
    Membership.objects.create(team=second.team, user=world.people[Role.ADMINISTRATOR], role=Role.ADMINISTRATOR)
    return second


def ask(user, method, path, body=None, **wish):
    _, key = issue(user, Wish("robot", **wish))
    sent = {"data": body, "content_type": "application/json"} if body is not None else {}
    headers = {"authorization": f"Bearer {key}", "if-match": "*"}
    return getattr(Client(), method.lower())(path, headers=headers, **sent)


def acts(world):
    """A request for each scope but read, of an administrator."""
    yield Scope.EDIT, "POST", f"/api/v1/packs/{world.pack.pk}/challenges/", {"document": {"key": "new"}}
    yield Scope.EDIT, "POST", f"/api/v1/packs/{world.pack.pk}/publish/", {}
    yield Scope.EDIT, "POST", f"/api/v1/packs/import/?team={world.team.slug}", {}
    yield Scope.RUN, "POST", "/api/v1/runs/", {"challenge_pack_version_id": world.version.pk, "agents": []}
    yield Scope.RUN, "POST", f"/api/v1/runs/{world.waiting.pk}/cancel/", {}
    yield Scope.ADMINISTER, "GET", "/api/v1/secrets/", None
    yield Scope.ADMINISTER, "POST", "/api/v1/agents/", {"team": world.team.slug, "name": "a", "kind": "echo"}


def test_what_a_key_lacks_is_refused_by_its_name_and_what_it_has_is_not(world):
    user = world.people[Role.ADMINISTRATOR]
    for scope, method, path, body in acts(world):
        others = [other for other in Scope if other != scope]
        refused = ask(user, method, path, body, scopes=others)
        [finding] = refused.json()["findings"]
        assert (refused.status_code, finding["code"]) == (403, "api.out_of_scope"), path
        assert finding["message"] == f"This key lacks the scope `{scope}`."
        assert ask(user, method, path, body, scopes=[scope]).status_code not in {401, 403, 404}, path


def test_a_scope_grants_nothing_that_the_role_does_not(world):
    viewer = world.people[Role.VIEWER]
    for _, method, path, body in acts(world):
        answer = ask(viewer, method, path, body, scopes=list(Scope))
        assert answer.status_code == 403 or answer.json() == [] or answer.json()["results"] == []


def test_a_key_that_only_reads_stops_no_work_that_changes_a_pack(world):
    user = world.people[Role.AUTHOR]
    for kind, status in (("import", 403), ("export", 200)):
        job = Job.objects.create(team=world.team, user=user, kind=kind, title="A job", parameters={})
        answer = ask(user, "POST", f"/api/v1/jobs/{job.pk}/cancel/", {}, scopes=[Scope.READ])
        assert answer.status_code == status, kind
        job.refresh_from_db()
        assert (job.status == JobStatus.CANCELLED) is (status == 200)


def test_every_key_reads(world):
    user = world.people[Role.AUTHOR]
    assert ask(user, "GET", f"/api/v1/packs/{world.pack.pk}/", scopes=[]).status_code == 200


def test_a_key_of_one_team_finds_nothing_of_another(world, elsewhere):
    user, wish = world.people[Role.ADMINISTRATOR], {"teams": [world.team]}
    assert ask(user, "GET", f"/api/v1/packs/{elsewhere.pack.pk}/").status_code == 200
    for path in (f"packs/{elsewhere.pack.pk}/", f"runs/{elsewhere.run.pk}/", f"agents/{elsewhere.agent.pk}/"):
        assert ask(user, "GET", f"/api/v1/{path}", **wish).status_code == 404, path
    assert ask(user, "GET", f"/api/v1/packs/{world.pack.pk}/", **wish).status_code == 200
    assert [team["slug"] for team in ask(user, "GET", "/api/v1/teams/", **wish).json()] == [world.team.slug]


def test_a_key_whose_last_team_is_gone_reaches_nothing(world):
    user, gone = world.people[Role.ADMINISTRATOR], Team.objects.create(slug="gone", name="Gone")
    _, key = issue(user, Wish("robot", teams=[gone]))
    gone.delete()
    told = Client().get("/api/v1/teams/", headers={"authorization": f"Bearer {key}"})
    assert (told.status_code, told.json()) == (200, [])


def test_a_key_of_one_pack_stays_with_it(world):
    user = world.people[Role.ADMINISTRATOR]
    other = ask(
        user, "POST", "/api/v1/packs/", {"team": world.team.slug, "slug": "z", "title": "Z", "format": "agentv"}
    )
    assert other.status_code == 201, other.content
    wish = {"pack": world.pack}
    assert ask(user, "GET", f"/api/v1/packs/{other.json()['id']}/", **wish).status_code == 404
    for path in (f"packs/{world.pack.pk}/", f"versions/{world.version.pk}/", f"runs/{world.run.pk}/"):
        assert ask(user, "GET", f"/api/v1/{path}", **wish).status_code == 200, path
    proposed = world.proposal
    for path in (f"proposals/{proposed.pk}/", f"packs/{proposed.draft_id}/", f"packs/{proposed.draft_id}/comments/"):
        assert ask(user, "GET", f"/api/v1/{path}", **wish).status_code == 200, path
    listed = ask(user, "GET", "/api/v1/packs/", **wish).json()["results"]
    assert [pack["id"] for pack in listed] == [world.pack.pk]
    body = {"team": world.team.slug, "slug": "y", "title": "Y", "format": "agentv"}
    refused = ask(user, "POST", "/api/v1/packs/", body, **wish)
    assert (refused.status_code, "one pack" in refused.json()["findings"][0]["message"]) == (403, True)
    assert ask(user, "GET", "/api/v1/secrets/", scopes=list(Scope), **wish).status_code == 403


def test_keys_from_before_keep_all_they_could(world):
    Token.objects.update(scopes=[], expires_at=None)
    migration = importlib.import_module("packs.migrations.0005_scopes_of_keys")
    migration.allow_everything(apps, None)
    token = Token.objects.get()
    assert (token.scopes, token.is_for_all_teams, token.expires_at) == (list(Scope), True, None)


def test_the_last_use_is_kept_with_its_address(world):
    user = world.people[Role.VIEWER]
    ask(user, "GET", "/api/v1/teams/")
    used = Token.objects.get(user=user)
    assert (used.last_used_from, used.last_used_at is not None) == ("127.0.0.1", True)
