"""Curation of connections and secrets."""

import pytest
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.urls import reverse

from runs.models import Secret
from tests.runs.connections import KEY, make_connection

pytestmark = pytest.mark.django_db


def test_staff_see_connections_and_secrets_without_what_they_hide(admin_client, team, model_server):
    connection = make_connection(team, model_server)
    secret = Secret(team=team, name="TRACKER")
    secret.set_value("hush-4711")
    secret.save()
    for row, hidden in ((connection, (KEY, connection.sealed_key)), (secret, ("hush-4711", secret.sealed_value))):
        kind = row._meta.model_name
        pages = [reverse(f"admin:runs_{kind}_changelist"), reverse(f"admin:runs_{kind}_change", args=[row.pk])]
        for page in pages:
            text = admin_client.get(page).content.decode()
            assert row.name in text
            assert not any(each in text for each in hidden)


def test_connections_are_switched_off_and_on(admin_client, team, model_server):
    connection = make_connection(team, model_server)
    for action, is_active in (("deactivate", False), ("activate", True)):
        data = {"action": action, ACTION_CHECKBOX_NAME: [connection.pk], "confirmed": "1"}
        admin_client.post(reverse("admin:runs_connection_changelist"), data)
        connection.refresh_from_db()
        assert connection.is_active is is_active
