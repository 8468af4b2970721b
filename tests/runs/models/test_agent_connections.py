"""The connections of agents."""

import pytest

from runs.models.agent_connections import connection_of, connection_trouble
from tests.runs.connections import make_connection

pytestmark = pytest.mark.django_db


def test_only_agents_that_ask_models_need_a_connection(team, model_server):
    make_connection(team, model_server)
    make_connection(team, model_server, "off", is_active=False)
    assert connection_of(team, "chat", {"connection": "models"}).name == "models"
    assert connection_of(team, "echo", {"connection": "models"}) is None
    troubles = {name: connection_trouble(team, "chat", {"connection": name}) for name in ("models", "off", "nobody")}
    assert [name for name, trouble in troubles.items() if trouble] == ["off", "nobody"]
    assert connection_trouble(team, "echo", {}) == ""
