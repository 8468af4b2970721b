"""The first messages that a model gets."""

from runs.agents.chat.messages import opening
from runs.agents.contract import Request
from tests.runs.tasks import make_task


def test_without_anything_to_say_before_there_is_no_system_message():
    assert opening({}, Request(make_task(), "Hi.")) == [{"role": "user", "content": "Hi."}]


def test_in_a_conversation_agent_and_task_share_the_system_message():
    task = make_task(conversation={"phases": []})
    first, last = opening({"system": "Be brief."}, Request(task, "Hi."))
    assert first == {"role": "system", "content": "Be brief.\n\nWhere is it?"}
    assert last == {"role": "user", "content": "Hi."}
