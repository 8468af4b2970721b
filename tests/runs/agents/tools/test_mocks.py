import json

import pytest


def mock(**implementation):
    return {
        "custom": [
            {"name": "m", "parameters": {"type": "object"}, "implementation": {"type": "mock", **implementation}}
        ]
    }


@pytest.mark.parametrize(
    ("implementation", "arguments", "found"),
    [
        ({"strategy": "static", "response": {"ok": True}}, {}, {"ok": True}),
        ({"response": [1]}, {}, [1]),
        ({}, {}, {}),
        ({"lookup_key": "id", "responses": {"7": "seven", "*": "other"}}, {"id": 7}, "seven"),
        ({"strategy": "lookup", "lookup_key": "id", "responses": {"*": {"x": 1}}}, {}, {"x": 1}),
        (
            {"strategy": "echo", "template": {"said": "${word} ${gone}", "n": "${n}"}},
            {"word": "hi", "n": 2},
            {"said": "hi ${gone}", "n": 2},
        ),
    ],
)
def test_a_mock_answers_by_itself(shop, implementation, arguments, found):
    result = shop(tools=mock(**implementation), has_room=False).call("m", arguments)
    assert (json.loads(result.text) if not isinstance(found, str) else result.text) == found


@pytest.mark.parametrize(
    "implementation", [{"strategy": "dice"}, {"strategy": "lookup", "lookup_key": "id", "responses": {"a": 1}}]
)
def test_a_mock_without_an_answer_fails(shop, implementation):
    tools = shop(tools=mock(**implementation))
    tools.error("m", id="b")
    assert tools.last()[1]["tool_category"] == "mock"
