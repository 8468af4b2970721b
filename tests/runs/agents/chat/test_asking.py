"""What is recorded of a model's calls."""

import pytest

from runs.agents.chat.asking import shown
from runs.agents.endpoints.contract import ToolCall


@pytest.mark.parametrize(
    ("written", "arguments"), [('{"id": 1}', {"id": 1}), ("", {}), ("{broken", "{broken"), ("[1]", [1])]
)
def test_arguments_are_shown_as_json_where_they_are_json(written, arguments):
    assert shown(ToolCall("call_1", "track", written)) == {"id": "call_1", "name": "track", "arguments": arguments}
