import pytest

from runs.launch.launching import launch
from runs.models import Agent
from runs.views.trials import chats
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def trial(team, author):
    called = [
        {"type": "tool.call.completed", "payload": {"tool_name": "look", "arguments": {"at": number}, "result": "seen"}}
        for number in range(5)
    ]
    config = {"default": {"output": "hub", "events": called}}
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config=config)
    version = publish_text(team, author, pack_text({"default": 1}))
    return work_off(launch(author, version, [agent])).trials.get()


def texts(turns):
    return [item["text"].text for each in turns for item in each["said"]]


def test_a_long_conversation_comes_page_by_page(trial, monkeypatch):
    monkeypatch.setattr(chats, "PAGE_STEPS", 4)
    first, second = (chats.chat_of(trial, number) for number in ("1", "2"))
    assert first[0].paginator.num_pages == 2
    assert texts(first[1]) + texts(second[1]) == [*(f"look({number})" for number in range(5)), "hub"]


def test_a_trial_without_a_simulated_user_has_no_turns(trial):
    assert chats.has_turns(trial) is False
    [turn] = chats.chat_of(trial)[1]
    assert turn["turn"].number is None
