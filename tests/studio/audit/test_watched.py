import json

import pytest
from django.urls import reverse

from packs.access import Role
from packs.models import AuditEvent, Membership, Pack, Team
from runs.models import Agent, Connection, GateSchedule, GateSettings, Release, Secret, SharedPage
from studio.audit.watched import WATCHED
from studio.teams.invitations import Offer, invite
from studio.teams.service_accounts import make_service_account
from studio.tokens import Wish, issue
from tests.people import PASSWORD, client_of

VALUE = "planted-4711-do-not-show"


def recorded():
    """What was recorded since the last look, oldest first."""
    rows = list(AuditEvent.objects.order_by("pk"))
    AuditEvent.objects.all().delete()
    return [(row.kind, row.team and row.team.slug, row.subject, row.changes) for row in rows]


def test_members_and_roles_are_recorded_whichever_door_changes_them(as_administrator, team, author):
    member = Membership.objects.get(team=team, user=author)
    recorded()
    as_administrator.post(reverse("studio:member-role", args=[team.slug, member.pk]), {"role": "curator"})
    as_administrator.post(reverse("studio:member-remove", args=[team.slug, member.pk]))
    assert recorded() == [
        ("member.changed", "default", str(author), {"role": ["author", "curator"]}),
        ("member.deleted", "default", str(author), {"role": ["curator", None]}),
    ]
    Membership.objects.create(team=team, user=author, role=Role.VIEWER)
    assert recorded() == [("member.created", "default", str(author), {"role": [None, "viewer"]})]


def test_who_acts_and_from_where_stands_with_an_event(as_administrator, administrator, team):
    as_administrator.post(reverse("studio:team", args=[team.slug]), {"name": "Couriers"}, REMOTE_ADDR="192.0.2.9")
    found = AuditEvent.objects.get(kind="team.changed")
    assert (found.actor, found.address, found.changes) == (
        administrator, "192.0.2.9", {"name": ["Default team", "Couriers"]},
    )  # fmt: skip


def test_no_secret_is_recorded(team, administrator):
    connection = Connection(team=team, name="models", base_url="https://models.example.org")
    connection.set_key(VALUE)
    connection.save()
    secret = Secret(team=team, name="TRACKER")
    secret.set_value(VALUE)
    secret.save()
    secret.set_value(f"{VALUE}-2")
    secret.save()
    _, link = invite(team, administrator, Offer(Role.VIEWER, 1))
    token, key = issue(administrator, Wish("CI"))
    administrator.set_password(VALUE)
    administrator.save()
    said = json.dumps(recorded())
    for hidden in (VALUE, link, key, token.digest, secret.sealed_value, connection.sealed_key, administrator.password):
        assert hidden not in said
    assert '["set", "set"]' in said


def test_the_keys_of_a_pipeline_are_events_of_its_team_and_those_of_people_are_not(team, administrator):
    account = make_service_account(team, "pipeline", Role.AUTHOR, administrator)
    recorded()
    issue(account.user, Wish("CI"))
    issue(administrator, Wish("mine"))
    assert [(kind, where) for kind, where, *_ in recorded()] == [("key.created", "default"), ("key.created", None)]


def test_the_use_of_a_key_and_a_sign_in_change_nothing_that_is_watched(client, administrator):
    _, key = issue(administrator, Wish("CI"))
    recorded()
    client.get(reverse("packs-api:teams"), headers={"authorization": f"Bearer {key}"})
    client.post(reverse("studio:sign-in"), {"username": administrator.username, "password": PASSWORD})
    assert [kind for kind, *_ in recorded()] == ["sign_in.succeeded"]


def test_a_team_that_is_deleted_leaves_its_events(team, author):
    invite(team, author, Offer(Role.VIEWER, 1))
    recorded()
    Team.objects.filter(pk=team.pk).delete()
    assert {(kind, where) for kind, where, *_ in recorded()} == {
        ("team.deleted", None), ("member.deleted", None), ("invitation.deleted", None),
    }  # fmt: skip


def test_every_watched_kind_has_its_columns():
    for model, watched in WATCHED.items():
        assert {field.attname for field in model._meta.concrete_fields} >= set(watched.columns), model


@pytest.mark.parametrize("model", [GateSettings, Release, SharedPage])
def test_gates_baselines_and_links_are_watched(model):
    assert model in WATCHED


def test_agents_and_schedules_are_recorded_without_the_settings_of_agents(team, author):
    pack = Pack.objects.create(team=team, slug="couriers")
    agent = Agent.objects.create(team=team, name="bot", kind="http", config={"headers": {"authorization": VALUE}})
    schedule = GateSchedule.objects.create(pack=pack, agent=agent, owner=author)
    recorded()
    agent.config = {"headers": {"authorization": f"{VALUE}-2"}}
    agent.save()
    schedule.hour = 5
    schedule.save()
    agent.delete()
    said = recorded()
    assert said[:2] == [
        ("agent.changed", "default", "bot", {"config": ["set", "set"]}),
        ("schedule.changed", "default", "Nightly of couriers at 05:00 UTC", {"hour": [2, 5]}),
    ]
    assert [kind for kind, *_ in said[2:]] == ["schedule.deleted", "agent.deleted"]
    assert VALUE not in json.dumps(said)


def test_what_a_key_does_is_recorded_with_the_key(client, team, administrator):
    token, key = issue(administrator, Wish("CI", scopes=["administer"]))
    sent = {"team": team.slug, "name": "TRACKER", "value": VALUE}
    bearer = {"authorization": f"Bearer {key}"}
    client.post("/api/v1/secrets/", sent, content_type="application/json", headers=bearer)
    found = AuditEvent.objects.get(kind="secret.created")
    assert (found.actor, found.key_prefix, found.team) == (administrator, token.prefix, team)
    assert client_of(administrator).get(reverse("studio:audit")).status_code == 200
