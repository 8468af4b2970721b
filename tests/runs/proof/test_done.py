"""What an agent did, changed: turns of a conversation and calls of tools."""

from runs.proof.done import done_otherwise
from runs.proof.probes import Code, Work
from tests.runs.proof.makers import compiled, task_of, tasks


def call(name):
    return {"event_type": "tool.call.completed", "payload": {"tool_name": name, "arguments": {}, "result": "ok"}}


def turn(index, asked, said):
    return [
        {"event_type": "turn.user.message", "payload": {"turn_index": index, "content": asked}},
        {"event_type": "turn.assistant.message", "payload": {"turn_index": index, "content": said}},
    ]


def said(work):
    return [event["payload"]["content"] for event in work.events if event["event_type"] == "turn.assistant.message"]


def test_an_agent_says_something_else_in_its_turns():
    gold = Work("The hub is 7 miles away.", events=[*turn(0, "Where?", "PX-41"), *turn(1, "How far?", "7 miles")])
    by_code = {}
    for probe in done_otherwise(task_of("one"), gold):
        by_code.setdefault(probe.code, []).append(said(probe.work))
    assert by_code[Code.ACCEPTS_EMPTY] == [["", ""]]
    assert by_code[Code.ACCEPTS_ECHO] == [["Where?", "How far?"]]
    assert ["not PX-41", "7 miles"] in by_code[Code.ACCEPTS_MUTANT]
    assert ["PX-41", "not 7 miles"] in by_code[Code.ACCEPTS_MUTANT]


def test_calls_are_left_out_where_graders_look_at_them():
    gold = Work("Renewed.", events=[call("look"), call("renew")])
    _, [task] = compiled(tasks([{"type": "tool_calls", "required": [{"tool": "renew"}]}], None))
    none, *one = done_otherwise(task, gold)
    assert (none.code, none.work.text, list(none.work.events)) == (Code.ACCEPTS_NOTHING_DONE, "Renewed.", [])
    assert [list(probe.work.events) for probe in one] == [[call("renew")], [call("look")]]
    assert not any(probe.decides for probe in one)
    assert list(done_otherwise(task_of("one"), gold)) == []
