"""Who answers for a model that a pack names."""

import pytest

from runs.agents.endpoints.contract import EndpointFailed, ModelRequest, Trouble
from runs.launch.launching import launch
from runs.models import Run
from runs.models.answering import endpoints_of
from tests.runs.connections import KEY, make_connection

HELLO = ({"role": "user", "content": "Hello"},)


@pytest.fixture
def run_of(author, version, agents):
    def make(**connections):
        run = launch(author, version, [agents["echo"]])
        Run.objects.filter(pk=run.pk).update(connections=connections)
        return Run.objects.get(pk=run.pk)

    return make


def test_a_model_that_stands_in_is_asked_by_its_own_name(run_of, team, model_server, local_endpoints):
    model_server.reply("Hello yourself.")
    other = make_connection(team, model_server, name="b", model_list=[{"name": "large"}])
    endpoint = endpoints_of(run_of(judge={"connection": other.pk, "model": "large"}))("judge")
    assert endpoint.ask(ModelRequest("judge", HELLO)).text == "Hello yourself."
    assert model_server.requests[0]["model"] == "large"
    assert (endpoint.name, endpoint.provider) == ("b", other.provider)
    with pytest.raises(EndpointFailed) as caught:
        endpoint.respond(ModelRequest("judge", HELLO))
    assert caught.value.trouble is Trouble.REFUSED


def test_an_endpoint_is_opened_once_for_a_run(run_of, team, model_server, django_assert_num_queries):
    make_connection(team, model_server, name="a")
    endpoints = endpoints_of(run_of())
    first = endpoints("small")
    with django_assert_num_queries(0):
        assert endpoints("small") is first
    assert endpoints("unheard-of") is None


@pytest.mark.parametrize("key", ["I", KEY])
def test_a_judge_is_heard_as_it_spoke_whatever_the_key_is(run_of, team, model_server, local_endpoints, key):
    make_connection(team, model_server, key=key)
    model_server.reply("I find it RIGHT.")
    assert endpoints_of(run_of())("small").ask(ModelRequest("small", HELLO)).text == "I find it RIGHT."


def test_a_key_that_cannot_be_opened_is_trouble_of_the_call(run_of, team, model_server, settings):
    make_connection(team, model_server)
    run = run_of()
    settings.SECRET_KEY = "another one"
    with pytest.raises(EndpointFailed) as caught:
        endpoints_of(run)("small").ask(ModelRequest("small", HELLO))
    assert caught.value.trouble is Trouble.AUTHENTICATION
