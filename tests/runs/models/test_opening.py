"""From a connection to an endpoint that answers."""

import pytest

from runs.agents.endpoints.contract import EndpointFailed, ModelRequest, Trouble
from runs.models import ConnectionCall
from runs.models.opening import open_endpoint, open_web
from runs.models.sealing import Unsealable
from tests.runs.connections import KEY, make_connection

pytestmark = pytest.mark.django_db
HELLO = ModelRequest("small", ({"role": "user", "content": "Hello"},))


def test_an_opened_connection_answers_with_its_key_price_and_place(team, model_server, local_endpoints):
    seen = []

    def answer(request):
        seen.append(KEY in model_server.headers[-1]["authorization"])
        return "Hello."

    model_server.answer = answer
    endpoint = open_endpoint(make_connection(team, model_server, provider="acme"))
    reply = endpoint.ask(HELLO)
    assert (endpoint.name, endpoint.provider, reply.text, seen) == ("models", "acme", "Hello.", [True])
    assert reply.usage.cost_usd == pytest.approx(37e-6)
    assert ConnectionCall.objects.count() == 0


def test_hosts_of_the_own_network_are_refused_unless_the_operator_lists_them(team, model_server):
    with pytest.raises(EndpointFailed) as caught:
        open_endpoint(make_connection(team, model_server)).ask(HELLO)
    assert caught.value.trouble is Trouble.NOT_ALLOWED
    assert model_server.requests == []


def test_a_key_that_cannot_be_opened_is_no_empty_key(team, model_server, settings):
    connection = make_connection(team, model_server)
    settings.SECRET_KEY = "another one"
    with pytest.raises(Unsealable):
        open_endpoint(connection)


def test_calls_of_a_process_share_their_way_out(settings):
    assert open_web() is open_web()
