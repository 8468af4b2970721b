import pytest

from runs.launch.casting import casting_trouble
from runs.models import Agent, Connection
from tests.runs.connections import make_connection


@pytest.fixture
def echo(team):
    return Agent(team=team, name="echo", kind="echo", config={})


def script(**more):
    return {"phases": [{"id": "press", "actor": "llm", "persona": "Angry", **more}]}


def test_a_named_model_needs_an_active_connection_that_lists_it(team, echo, model_server):
    assert casting_trouble(script(model="small"), team, {}, [echo])
    connection = make_connection(team, model_server)
    assert not casting_trouble(script(model="small"), team, {}, [echo])
    Connection.objects.filter(pk=connection.pk).update(is_active=False)
    assert casting_trouble(script(model="small"), team, {}, [echo])


def test_a_choice_made_for_the_run_stands_in(team, echo, model_server):
    connection = make_connection(team, model_server)
    chosen = {"connection": connection.pk, "model": "small"}
    assert not casting_trouble(script(model="gpt"), team, {"gpt": chosen}, [echo])
    assert not casting_trouble(script(), team, {"user": chosen}, [echo])


def test_without_a_name_the_agents_own_model_plays_and_other_agents_have_none(team, echo, model_server):
    make_connection(team, model_server)
    chat = Agent(team=team, name="chat", kind="chat", config={"connection": "models", "model": "small"})
    assert not casting_trouble(script(), team, {}, [chat])
    assert casting_trouble(script(), team, {}, [chat, echo])


def test_phases_that_are_never_played_need_nobody(team, echo):
    assert not casting_trouble(script(trigger="never", model="gpt"), team, {}, [echo])


def test_a_recorded_conversation_needs_nobody_to_play_it(team, echo):
    recorded = Agent(team=team, name="recorded", kind="recorded", config={"outputs": []})
    assert not casting_trouble(script(model="gpt"), team, {}, [recorded])
    assert casting_trouble(script(model="gpt"), team, {}, [recorded, echo])
