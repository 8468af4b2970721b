"""Secrets over the API."""

import pytest

from packs.access import Role
from runs.models import Secret
from tests.people import client_of
from tests.runs.test_api import codes, send

pytestmark = pytest.mark.django_db


def test_a_secret_is_set_listed_by_name_and_forgotten(as_administrator, team):
    for status, value in ((201, "planted-4711"), (200, " another-4711 ")):
        answer = send(as_administrator, "post", "secrets/", {"name": "TRACKER", "value": value})
        assert answer.status_code == status
        assert "4711" not in answer.content.decode()
        assert Secret.objects.get().value() == value
    listed = send(as_administrator, "get", "secrets/").json()["results"]
    assert [(row["name"], row["team"]) for row in listed] == [("TRACKER", "default")]
    assert send(as_administrator, "delete", f"secrets/{listed[0]['id']}/").status_code == 204
    assert not Secret.objects.exists()


@pytest.mark.parametrize("given", [{"name": "1 x", "value": "planted-4711"}, {"name": "A", "value": ""}])
def test_what_cannot_be_a_secret_is_refused(as_administrator, team, given):
    answer = send(as_administrator, "post", "secrets/", given)
    assert answer.status_code == 400
    assert len(codes(answer)) == 1
    assert "planted" not in answer.content.decode()


@pytest.mark.parametrize(("value", "warnings"), [("planted-4711", 0), ("short", 1), ("password", 1)])
def test_a_secret_that_trials_do_not_hide_is_said_to_be_so(as_administrator, team, value, warnings):
    answer = send(as_administrator, "post", "secrets/", {"name": "TRACKER", "value": value}).json()
    assert ["not hidden" in warning for warning in answer["warnings"]] == [True] * warnings
    assert value not in str(answer)


def test_only_administrators_are_told_of_secrets(members, team):
    send(client_of(members[Role.ADMINISTRATOR]), "post", "secrets/", {"name": "TRACKER", "value": "planted-4711"})
    assert send(client_of(members[Role.CURATOR]), "get", "secrets/").json()["results"] == []
