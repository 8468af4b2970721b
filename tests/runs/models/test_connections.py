"""Connections and secrets as rows."""

import pytest

from runs.agents.endpoints.contract import ModelPrice
from runs.models import Connection, Secret
from tests.runs.connections import KEY, make_connection

pytestmark = pytest.mark.django_db


def test_a_key_is_stored_encrypted_and_can_be_taken_away(team, model_server):
    connection = make_connection(team, model_server)
    assert connection.has_key
    assert KEY not in str(Connection.objects.values().get(pk=connection.pk))
    connection.set_key("")
    assert (connection.has_key, connection.key_set_at) == (False, None)


def test_a_secret_is_stored_encrypted(team):
    secret = Secret(team=team, name="TRACKER")
    secret.set_value("hush")
    secret.save()
    row = Secret.objects.get()
    assert row.value() == "hush"
    assert "hush" not in row.sealed_value


def test_only_models_with_both_prices_cost_something_known(team, model_server):
    half = {"name": "half", "input_per_million": 1.0}
    free = {"name": "free", "input_per_million": 0, "output_per_million": 0}
    connection = make_connection(team, model_server, model_list=[half, free])
    assert connection.model_names == ["half", "free"]
    assert connection.prices == {"free": ModelPrice(0.0, 0.0)}


def test_a_model_is_found_among_the_active_connections_of_the_team(team, other_team, model_server):
    make_connection(other_team, model_server)
    make_connection(team, model_server, "a", is_active=False)
    wanted = make_connection(team, model_server, "b")
    make_connection(team, model_server, "c")
    assert Connection.objects.answering(team, "small") == wanted
    assert Connection.objects.answering(team, "large") is None
