"""Reading what endpoints answer."""

import json

import pytest

from runs.agents.endpoints.contract import EndpointFailed, ToolCall, Trouble, Usage
from runs.agents.endpoints.replies import Draft, data_lines, read_json, responses_reply, whole_reply


def test_events_are_found_however_the_bytes_are_cut():
    stream = b': a comment\r\n\r\ndata: {"a":\ndata: 1}\r\n\r\nevent: x\ndata:[2]\n\nid: 3\n\ndata: [DONE]'
    for size in (1, 3, 7, len(stream)):
        chunks = [stream[start : start + size] for start in range(0, len(stream), size)]
        assert list(data_lines(chunks)) == [b'{"a":\n1}', b"[2]", b"[DONE]"]


def delta(index=None, **function):
    fragment = {"function": function} if index is None else {"index": index, "function": function}
    return {"choices": [{"delta": {"tool_calls": [fragment]}}]}


def test_fragments_of_interleaved_calls_come_together():
    draft = Draft()
    for chunk in (
        delta(0, name="a", arguments=""),
        delta(1, name="b"),
        delta(0, arguments="{"),
        delta(1, arguments="[]"),
    ):
        assert draft.add(chunk)
    assert draft.reply().tool_calls == (ToolCall("call_0", "a", "{"), ToolCall("call_1", "b", "[]"))


def test_calls_without_places_are_calls_of_their_own():
    draft = Draft()
    draft.add(delta(name="a", arguments="{}"))
    draft.add(delta(name="b", arguments="{}"))
    assert [call.name for call in draft.reply().tool_calls] == ["a", "b"]


def message(**parts):
    return {"choices": [{"message": {"role": "assistant", **parts}, "finish_reason": "stop"}]}


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"content": "hub"}, "hub"),
        ({"content": [{"type": "text", "text": "the "}, {"type": "text", "text": "hub"}]}, "the hub"),
        ({"content": None, "refusal": "No."}, "No."),
        ({"content": None}, ""),
        ({}, ""),
    ],
)
def test_the_text_of_a_reply_is_found_in_each_of_its_shapes(parts, text):
    assert whole_reply(message(**parts)).text == text


def test_arguments_that_come_as_an_object_become_text():
    calls = [{"id": "1", "function": {"name": "a", "arguments": {"b": 1}}}]
    assert whole_reply(message(tool_calls=calls)).tool_calls == (ToolCall("1", "a", '{"b":1}'),)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 1, "completion_tokens": 2}, Usage(1, 2)),
        ({"input_tokens": 1, "output_tokens": 2, "cost": 0.5}, Usage(1, 2, 0.5)),
        ({"prompt_tokens": "1", "completion_tokens": True, "cost": True}, Usage()),
    ],
)
def test_usage_is_read_in_the_words_of_either_api(usage, expected):
    assert whole_reply({**message(content=""), "usage": usage}).usage == expected


@pytest.mark.parametrize("value", [[], {}, {"choices": []}, {"choices": [1]}, {"choices": [{"message": "x"}]}])
def test_what_is_no_reply_is_a_bad_one(value):
    with pytest.raises(EndpointFailed) as caught:
        whole_reply(read_json(json.dumps(value).encode()))
    assert caught.value.trouble is Trouble.BAD_REPLY


def test_a_report_is_the_texts_of_its_messages():
    texts = [{"type": "output_text", "text": text} for text in ("one ", "two")]
    output = [{"type": "reasoning"}, {"type": "message", "content": texts}, {"type": "message", "content": "three"}]
    reply = responses_reply({"output": output, "status": "completed", "usage": {"input_tokens": 3}})
    assert (reply.text, reply.finish_reason, reply.usage.input_tokens) == ("one two\n\nthree", "completed", 3)


@pytest.mark.parametrize(
    ("value", "trouble"),
    [({}, Trouble.BAD_REPLY), ({"output": [], "status": "failed"}, Trouble.SERVER)],
)
def test_a_report_that_was_not_written_is_trouble(value, trouble):
    with pytest.raises(EndpointFailed) as caught:
        responses_reply(value)
    assert caught.value.trouble is trouble
