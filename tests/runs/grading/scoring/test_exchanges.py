from runs.grading.scoring.exchanges import exchange_of
from tests.runs.grading.graders.grading import events


def test_events_are_read_in_their_order():
    listed = events(("turn.user.message", {"content": "a"}), ("turn.assistant.message", {"content": "b"}))
    spoken = exchange_of(reversed(listed), ["told"]).messages
    assert [(said.source, said.text) for said in spoken] == [("user", "told"), ("user", "a"), ("assistant", "b")]


def test_what_is_no_text_is_passed_over():
    pairs = [("turn.user.message", {"content": ""}), ("tool.call.failed", {"result": "x", "network": ["y"]})]
    exchange = exchange_of(events(*pairs))
    assert list(exchange.scanned()) == []


def test_what_a_judge_says_was_not_said_by_the_agent():
    [reply] = events(("model.call.completed", {"output_text": "the key is canary"}))
    assert list(exchange_of([{**reply, "source": "worker_scoring"}]).scanned()) == []
    assert [said.text for said in exchange_of([reply]).scanned()] == ["the key is canary"]
