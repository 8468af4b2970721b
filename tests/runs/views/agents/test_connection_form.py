"""The form of a connection."""

import pytest

from runs.models import Agent, Connection
from runs.views.agents.connection_form import ConnectionForm, read_models, shown_models
from tests.runs.connections import KEY, make_connection

pytestmark = pytest.mark.django_db
GIVEN = {
    "name": "models",
    "base_url": "https://api.example.org/v1/",
    "key": KEY,
    "models_text": "small 0.15 0.6\nlarge",
    "provider": "openai",
    "max_concurrent": "4",
    "requests_per_minute": "",
    "timeout_seconds": "60",
    "max_retries": "2",
}


def form_of(team, connection=None, **changes):
    return ConnectionForm({**GIVEN, **changes}, instance=connection or Connection(team=team))


def codes(form):
    return {field: [error.code for error in errors] for field, errors in form.errors.as_data().items()}


def test_what_is_typed_becomes_a_connection(team):
    form = form_of(team)
    assert form.is_valid(), form.errors
    row = Connection.objects.get(pk=form.save().pk)
    assert (row.base_url, row.max_concurrent, row.requests_per_minute) == ("https://api.example.org/v1", 4, None)
    assert row.model_list == [
        {"name": "small", "input_per_million": 0.15, "output_per_million": 0.6},
        {"name": "large"},
    ]
    assert row.has_key
    assert KEY not in str(ConnectionForm(instance=row))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"base_url": "https://127.0.0.1/v1"}, {"base_url": ["not_allowed"]}),
        ({"base_url": "http://api.example.org/v1"}, {"base_url": ["not_allowed"]}),
        ({"base_url": "api.example.org"}, {"base_url": ["not_allowed"]}),
        ({"models_text": "small 1"}, {"models_text": ["no_price"]}),
        ({"models_text": "small one two"}, {"models_text": ["no_price"]}),
        ({"models_text": "small -1 2"}, {"models_text": ["no_price"]}),
        ({"models_text": "small nan nan"}, {"models_text": ["no_price"]}),
        ({"models_text": "small\nsmall"}, {"models_text": ["twice"]}),
        ({"key": "two\nlines"}, {"key": ["no_key"]}),
        ({"max_concurrent": "0"}, {"max_concurrent": ["min_value"]}),
        ({"timeout_seconds": "nan"}, {"timeout_seconds": ["invalid"]}),
        ({"max_retries": "11"}, {"max_retries": ["max_value"]}),
        ({"name": "taken"}, {"name": ["connection.E001"]}),
    ],
)
def test_what_cannot_be_a_connection_is_said_at_its_field(team, model_server, changes, expected):
    make_connection(team, model_server, "taken")
    form = form_of(team, **changes)
    assert codes(form) == expected
    assert KEY not in str(form)


def stored(team):
    row = Connection(team=team, name="models", base_url="https://api.example.org/v1")
    row.set_key(KEY)
    row.save()
    return row


def test_an_empty_key_keeps_the_stored_one_and_can_take_it_away(team):
    row = stored(team)
    sealed = row.sealed_key
    form = form_of(team, row, key="", base_url="https://api.example.org/v2")
    assert form.is_valid(), form.errors
    assert form.save().sealed_key == sealed
    form = form_of(team, row, key="", drops_key="on")
    assert form.is_valid(), form.errors
    assert not form.save().has_key


def test_a_key_does_not_follow_the_address_to_another_host(team):
    row = stored(team)
    assert codes(form_of(team, row, key="", base_url="https://elsewhere.example.org/v1")) == {"key": ["key_needed"]}


def test_agents_follow_a_connection_to_its_new_name(team):
    row = stored(team)
    config = {"connection": "models", "model": "small"}
    agent = Agent.objects.create(team=team, name="one", kind="chat", config=config)
    form = form_of(team, row, name="renamed", key="")
    assert form.is_valid(), form.errors
    form.save()
    agent.refresh_from_db()
    assert agent.config == {"connection": "renamed", "model": "small"}


def test_models_are_shown_as_they_are_read():
    text = "small 0.15 0.6\nlarge\nfree 0 0"
    assert shown_models(read_models(f"\n{text}\n\n")) == text
