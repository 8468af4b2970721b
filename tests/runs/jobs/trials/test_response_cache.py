"""Runs that take answers which models gave before."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from packs.models import Team
from runs.launch.launching import Options, launch
from runs.launch.refusals import LaunchRefused
from runs.models import Agent, Event, StoredReply, Trial
from runs.models.replies import forget_old_replies
from tests.openai_server import Answer
from tests.people import client_of
from tests.runs.connections import PRICED, make_connection
from tests.runs.judged_packs import judged_text
from tests.runs.studio_packs import publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db

GOOD = json.dumps({"score": 5, "confidence": "high", "reasoning": "It says where."})


@pytest.fixture
def chat(team, model_server, local_endpoints):
    """An agent that a model plays; the model counts its answers, so that no two are the same."""
    make_connection(team, model_server, model_list=[PRICED, {"name": "gpt-small"}])
    model_server.answer = numbered(model_server)
    return Agent.objects.create(team=team, name="chat", kind="chat", config={"connection": "models", "model": "small"})


def numbered(server):
    return lambda request: Answer(GOOD if request["model"] == "gpt-small" else f"answer {len(server.requests)}")


def run_of(author, version, agent, cache, trials=2):
    return work_off(launch(author, version, [agent], Options(trials=trials, response_cache=cache)))


def answers_of(run):
    return list(run.trials.order_by("case_position", "number").values_list("final_output", flat=True))


def test_a_run_is_repeated_without_one_call(team, author, chat, model_server):
    version = publish_text(team, author, judged_text(2))
    first = run_of(author, version, chat, "write")
    calls = len(model_server.requests)
    # Two cases with two trials, an agent and two samples of a judge.
    assert calls == 2 * 2 * 3
    assert len(set(answers_of(first))) == 4
    again = run_of(author, version, chat, "read")
    assert len(model_server.requests) == calls
    assert (answers_of(again), again.counts) == (answers_of(first), first.counts)
    told = Event.objects.filter(trial__run=again, event_type="model.call.completed")
    assert [event.payload.get("is_stored") for event in told] == [True] * calls
    # What an answer cost is said as it was.
    costs = [list(run.trials.order_by("pk").values_list("cost_usd", "total_tokens")) for run in (first, again)]
    assert costs[0] == costs[1]
    assert None not in costs[0][0]


def test_a_replay_says_which_steps_came_from_the_cache(author, version, chat):
    first, again = (run_of(author, version, chat, "write", trials=1) for _ in range(2))
    pages = [
        client_of(author).get(reverse("runs:replay", args=[run.trials.first().pk])).content.decode()
        for run in (first, again)
    ]
    assert ["cached</span>" in page for page in pages] == [False, True]


def test_without_the_cache_everything_is_asked_and_nothing_kept(author, version, chat, model_server):
    run_of(author, version, chat, "off")
    calls = len(model_server.requests)
    run_of(author, version, chat, "off")
    assert (len(model_server.requests), StoredReply.objects.count()) == (2 * calls, 0)


def test_reading_keeps_nothing_new(author, version, chat, model_server):
    run_of(author, version, chat, "write", trials=1)
    kept, calls = StoredReply.objects.count(), len(model_server.requests)
    run_of(author, version, chat, "read", trials=2)
    # The first trial of each case is known, the second is not.
    assert (StoredReply.objects.count(), len(model_server.requests)) == (kept, 2 * calls)


def test_kept_replies_are_sealed_and_belong_to_their_team(author, version, chat, model_server):
    run = run_of(author, version, chat, "write")
    [answer, *_] = answers_of(run)
    assert answer
    assert not any(answer in sealed for sealed in StoredReply.objects.values_list("sealed_reply", flat=True))
    calls = len(model_server.requests)
    StoredReply.objects.update(team=Team.objects.create(slug="x", name="X"))
    run_of(author, version, chat, "read")
    assert len(model_server.requests) == 2 * calls


def test_a_reply_that_no_key_opens_is_asked_again(author, version, chat, model_server):
    run_of(author, version, chat, "write")
    calls = len(model_server.requests)
    StoredReply.objects.update(sealed_reply="sealed with another key")
    run = run_of(author, version, chat, "write")
    assert (len(model_server.requests), run.counts.get("error")) == (2 * calls, None)
    run_of(author, version, chat, "read")
    assert len(model_server.requests) == 2 * calls


def test_old_replies_go(author, version, chat):
    run_of(author, version, chat, "write")
    [oldest, *rest] = StoredReply.objects.all()
    StoredReply.objects.filter(pk=oldest.pk).update(created_at=timezone.now() - timedelta(days=31))
    assert forget_old_replies() == 1
    assert StoredReply.objects.count() == len(rest)


def test_an_unknown_use_of_the_cache_is_refused(author, version, chat):
    with pytest.raises(LaunchRefused) as refused:
        launch(author, version, [chat], Options(response_cache="sometimes"))
    assert refused.value.code == "invalid_response_cache"
    assert Trial.objects.count() == 0
