import pytest

from runs.replay import index_steps
from runs.replay.marks import lasting, mark_steps
from tests.runs.moments import event


def marks_of(*events):
    numbered = [event(number, kind, **payload) for number, (kind, payload) in enumerate(events, 1)]
    return mark_steps(index_steps(numbered), numbered)


def call(**payload):
    return ("tool.call.completed", {"tool_name": "find", "arguments": {"id": 1}, "result": {"content": "x"}, **payload})


def alike(one, other):
    """Which of the marks of two steps are the same."""
    a, b = marks_of(one), marks_of(other)
    return (a.names == b.names, a.deeds == b.deeds, a.wholes == b.wholes)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"tool_call_id": "call-77"}, (True, True, True)),
        ({"result": {"content": "x", "duration_ms": 7}}, (True, True, True)),
        ({"result": {"content": "y"}}, (True, True, False)),
        ({"arguments": {"id": 2}}, (True, False, False)),
        ({"tool_name": "open"}, (False, False, False)),
    ],
)
def test_calls_are_told_apart_by_tool_then_arguments_then_result(change, expected):
    assert alike(call(), call(**change)) == expected


def test_a_call_that_failed_is_the_same_call_with_another_end():
    assert alike(call(), ("tool.call.failed", call()[1])) == (True, True, False)


def test_arguments_count_in_whatever_order_they_were_given():
    assert alike(call(arguments={"a": 1, "b": 2}), call(arguments={"b": 2, "a": 1})) == (True, True, True)


def test_turns_of_two_models_that_say_the_same_are_the_same():
    one = {"provider_model_id": "small", "output_text": "hub", "usage": {"total_tokens": 3}, "messages": ["long"]}
    other = {"provider_model_id": "large", "output_text": "hub", "timing": {"ttft_ms": 4}}
    assert alike(("model.call.completed", one), ("model.call.completed", other)) == (True, True, True)
    assert alike(("model.call.completed", one), ("model.call.completed", {"output_text": "port"})) == (
        True,
        False,
        False,
    )


def test_runs_of_two_agents_begin_alike():
    assert alike(("system.run.started", {"agent_name": "a"}), ("system.run.started", {"agent_name": "b"}))[2]


def test_replays_do_not_part_at_their_beginning_because_they_end_in_another_way():
    started, output = ("system.run.started", {}), ("system.output.finalized", {"final_output": "hub"})
    one = marks_of(started, output, ("system.run.completed", {"final_output": "hub"}))
    other = marks_of(started, ("system.run.failed", {"error": "no answer"}))
    assert one.wholes[0] == other.wholes[0]
    assert (len(one), len(other)) == (2, 1)


def test_the_same_words_in_a_later_turn_are_the_same_words():
    said = [("turn.user.message", {"turn_index": number, "content": "Where is it?"}) for number in (1, 2)]
    assert alike(*said) == (True, True, True)


def test_events_of_other_types_are_other_things():
    assert alike(("workspace.reset", {}), ("workspace.changed", {})) == (False, False, False)


def test_a_step_is_marked_by_both_of_its_events_and_an_open_one_by_its_first():
    opened = ("tool.call.started", {"tool_name": "find", "arguments": {"id": 1}})
    closed = ("tool.call.completed", {"tool_name": "find", "result": {"content": "x"}})
    whole, single, still_open = marks_of(opened, closed), marks_of(call()), marks_of(opened)
    assert len(whole) == 1
    assert whole == single
    assert still_open.deeds == single.deeds
    assert still_open.wholes != single.wholes


def test_numbers_and_texts_that_no_quick_writer_takes_are_marked_as_well():
    assert alike(call(arguments={"n": 2**70}), call(arguments={"n": 2**70})) == (True, True, True)
    assert not alike(call(arguments={"t": "\ud800"}), call(arguments={"t": "\ud801"}))[1]


def test_ids_and_times_are_passed_over_but_not_in_arguments():
    told = {"tool_call_id": "x", "started_at": 1, "arguments": {"user_id": 5}, "tool_calls": [{"id": "c", "name": "n"}]}
    assert lasting(told) == {"arguments": {"user_id": 5}, "tool_calls": [{"name": "n"}]}
