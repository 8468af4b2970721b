"""Stored replies of judges."""

import pytest

from runs.agents.endpoints.contract import EndpointFailed, ModelReply, ModelRequest, Usage
from runs.engine.archive import Archive
from tests.runs.moments import event

ASKED = [{"role": "user", "content": "Is it kind?"}]


class Live:
    name, provider, address, has_responses = "live", "acme", "", False

    def ask(self, request):
        return ModelReply("now", "m")


def told(number, kind, **payload):
    return {**event(number, kind, **payload), "source": "worker_scoring"}


def scoring(first, *replies, model="small", error=""):
    """The events of one scoring in which a judge asked for samples; None stands for one without a reply."""
    yield told(first, "scoring.started")
    for place, text in enumerate(replies):
        number = first + 1 + 2 * place
        asked = {"messages": ASKED} if not place else {"same_messages_as": first + 1}
        facts = {"sample": place, "provider_key": "openai", "provider_account_id": "then"}
        yield told(number, "model.call.started", model=model, **facts, **asked)
        said = {"output_text": text, "usage": {"input_tokens": 7}, "cost_usd": 0.5}
        yield told(number + 1, "model.call.completed", **facts, **({"error": error} if text is None else said))


def ask(endpoint):
    return endpoint.ask(ModelRequest("small", tuple(ASKED)))


def test_a_model_says_again_what_it_said_once_for_each_sample():
    archive = Archive([*scoring(1, "one", "two")])
    replies = [ask(archive.endpoint("small")) for _ in range(2)]
    assert [reply.text for reply in replies] == ["one", "two"]
    assert (replies[0].attempts, replies[0].connection, replies[0].usage) == (0, "then", Usage(7, None, 0.5))
    with pytest.raises(EndpointFailed):
        ask(archive.endpoint("small"))
    assert archive.endpoint("other") is None


def test_of_several_scorings_the_last_that_asked_counts():
    archive = Archive([*scoring(1, "one", "two"), *scoring(10, "three"), *scoring(20)])
    assert ask(archive.endpoint("small")).text == "three"
    with pytest.raises(EndpointFailed):
        ask(archive.endpoint("small"))


def test_only_what_has_no_stored_reply_is_asked_now():
    endpoints = Archive([*scoring(1, "one", None, error="503")]).before(lambda model: Live())
    assert [ask(endpoints("small")).text for _ in range(2)] == ["one", "now"]
    assert ask(endpoints("other")).text == "now"
    assert Archive([]).before(lambda model: None)("small") is None
