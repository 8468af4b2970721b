"""The page of secrets."""

import pytest
from django.urls import reverse

from packs.access import Role
from runs.models import Secret
from tests.people import client_of

pytestmark = pytest.mark.django_db
VALUE = "planted-4711"


def post(client, team, name="TRACKER", value=VALUE):
    return client.post(reverse("runs:secrets"), {"team": team.pk, "name": name, "value": value})


def test_a_secret_is_set_and_set_anew_and_never_shown(as_administrator, team):
    for value in (VALUE, "another-4711"):
        assert post(as_administrator, team, value=value).status_code == 302
        assert Secret.objects.get().value() == value
        page = as_administrator.get(reverse("runs:secrets")).content.decode()
        assert "TRACKER" in page
        assert "4711" not in page


@pytest.mark.parametrize(("name", "value", "field"), [("1 x", VALUE, "name"), ("A", "", "value"), ("", VALUE, "name")])
def test_what_cannot_be_a_secret_is_refused_and_not_shown(as_administrator, team, name, value, field):
    answer = post(as_administrator, team, name, value)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert VALUE not in answer.content.decode()


@pytest.mark.parametrize(("value", "is_warned"), [(VALUE, False), ("short", True)])
def test_a_secret_that_trials_do_not_hide_is_said_to_be_so(as_administrator, team, value, is_warned):
    post(as_administrator, team, value=value)
    page = as_administrator.get(reverse("runs:secrets")).content.decode()
    assert ("is not hidden in what trials record" in page) is is_warned
    assert f">{value}<" not in page


def test_a_secret_is_forgotten(as_administrator, team):
    post(as_administrator, team)
    as_administrator.post(reverse("runs:secret-delete", args=[Secret.objects.get().pk]))
    assert not Secret.objects.exists()


@pytest.mark.parametrize("role", [Role.VIEWER, Role.AUTHOR, Role.REVIEWER, Role.CURATOR])
def test_only_administrators_see_and_change_secrets(members, team, role):
    post(client_of(members[Role.ADMINISTRATOR]), team)
    client = client_of(members[role])
    assert client.get(reverse("runs:secrets")).status_code == 403
    assert post(client, team).status_code == 403
    assert client.post(reverse("runs:secret-delete", args=[Secret.objects.get().pk])).status_code == 403


def test_another_team_is_out_of_reach(as_administrator, as_stranger, team):
    post(as_administrator, team)
    assert post(as_stranger, team).status_code == 422
    assert "TRACKER" not in as_stranger.get(reverse("runs:secrets")).content.decode()
    assert as_stranger.post(reverse("runs:secret-delete", args=[Secret.objects.get().pk])).status_code == 404
    assert Secret.objects.count() == 1
