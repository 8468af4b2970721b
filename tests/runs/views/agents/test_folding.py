import pytest

from runs.models import Agent, Connection
from runs.views.agents.agent_form import AgentForm
from runs.views.agents.connection_form import ConnectionForm

pytestmark = pytest.mark.django_db


def names(fields):
    return [field.name for field in fields]


@pytest.mark.parametrize(
    ("kind", "opened"),
    [
        ("chat", ["name", "config_connection", "config_model", "config_system"]),
        ("command", ["name", "config_arguments"]),
        ("http", ["name", "config_address", "config_headers"]),
        ("scripted", ["name", "config_answers", "config_default"]),
        ("recorded", ["name", "config_outputs"]),
        ("echo", ["name"]),
    ],
)
def test_a_new_agent_shows_what_its_kind_needs(team, kind, opened):
    parts = AgentForm(Agent(team=team, kind=kind)).parts
    assert names(parts.opened) == opened
    assert "concurrency" in names(parts.more)


def test_what_was_set_is_open(team):
    config = {"address": "https://agents.example.org/", "max_retries": 0, "timeout_seconds": 300}
    parts = AgentForm(Agent(team=team, kind="http", name="mine", config=config, concurrency=2)).parts
    assert {"config_max_retries", "concurrency"} <= {*names(parts.opened)}
    assert "config_timeout_seconds" in names(parts.more)


def test_an_error_opens_its_field(team):
    given = {"name": "mine", "config_address": "https://agents.example.org/", "config_max_retries": "99"}
    form = AgentForm(Agent(team=team, kind="http"), given)
    assert not form.is_valid()
    assert "config_max_retries" in names(form.parts.opened)


def test_every_field_stands_in_one_of_the_parts(team):
    for form in (AgentForm(Agent(team=team, kind="chat")), ConnectionForm(instance=Connection(team=team))):
        assert sorted(names((*form.parts.opened, *form.parts.more))) == sorted(form.fields)


def test_a_new_connection_opens_with_address_key_and_models(team):
    parts = ConnectionForm(instance=Connection(team=team)).parts
    assert names(parts.opened) == ["name", "base_url", "key", "models_text"]
    known = ConnectionForm(instance=Connection(team=team, name="m", base_url="http://127.0.0.1/", max_concurrent=2))
    assert "max_concurrent" in names(known.parts.opened)
