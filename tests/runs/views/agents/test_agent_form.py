import pytest

from runs.models import Agent
from runs.views.agents.agent_form import AgentForm
from tests.runs.connections import make_connection

pytestmark = pytest.mark.django_db


def form_of(team, kind, config, **data):
    agent = Agent(team=team, name="one", kind=kind, config=config)
    shown = AgentForm(agent)
    given = {name: shown[name].value() for name in shown.fields}
    return AgentForm(agent, {**{name: "" if value is None else value for name, value in given.items()}, **data})


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("echo", {}),
        ("command", {"arguments": ["python3", "-c", "print(1)"], "protocol": "events", "timeout_seconds": 2.5}),
        ("command", {"arguments": ["sh", "-c", "one\ntwo"], "variables": {"A": "b"}}),
        ("scripted", {"answers": {"one": "<b>\r\n\u2028ü"}, "default": {"error": "no"}, "delay_seconds": 1}),
        ("http", {"address": "https://agents.example.org/", "headers": {"A": "b"}, "max_retries": 0}),
        ("recorded", {"outputs": [{"case_key": "one", "output": "it"}]}),
    ],
)
def test_a_form_that_is_sent_unchanged_keeps_every_value(team, kind, config):
    form = form_of(team, kind, config)
    assert form.is_valid(), form.errors
    assert {key: form.config[key] for key in config} == config


def test_arguments_are_written_one_a_line_or_as_json(team):
    for text in ("python3\r\nrun.py\r\n", '["python3", "run.py"]'):
        form = form_of(team, "command", {}, config_arguments=text)
        assert form.is_valid(), form.errors
        assert form.config["arguments"] == ["python3", "run.py"]


def test_a_member_that_the_kind_does_not_know_is_reported_and_not_dropped(team):
    form = form_of(team, "echo", {"temperature": 1})
    assert not form.is_valid()
    assert form.config == {"temperature": 1}


def test_what_a_kind_needs_must_be_given(team):
    form = form_of(team, "command", {}, config_arguments="")
    assert [error.code for error in form.errors.as_data()["config_arguments"]] == ["required"]


CHAT = {"connection": "models", "model": "small", "system": "Be brief.\nAlways.", "temperature": 0, "max_tokens": 50}


def test_a_chat_agent_chooses_a_connection_of_its_team_and_one_of_its_models(team, other_team, model_server):
    make_connection(team, model_server)
    make_connection(team, model_server, "off", is_active=False)
    make_connection(other_team, model_server, "theirs")
    form = form_of(team, "chat", CHAT)
    assert form.is_valid(), form.errors
    assert {key: form.config[key] for key in CHAT} == CHAT
    assert isinstance(form.config["max_tokens"], int)
    assert [value for value, _ in form.fields["config_connection"].widget.choices] == ["", "models"]
    assert form.models == ["small"]


@pytest.mark.parametrize("name", ["off", "theirs", "nobody"])
def test_a_connection_that_cannot_be_used_is_refused_and_stays_chosen(team, other_team, model_server, name):
    make_connection(team, model_server, "off", is_active=False)
    make_connection(other_team, model_server, "theirs")
    form = form_of(team, "chat", {**CHAT, "connection": name})
    assert [error.code for error in form.errors.as_data()["config_connection"]] == ["agent.E003"]
    assert form["config_connection"].value() == name
