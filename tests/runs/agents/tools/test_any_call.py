"""Whatever a model writes: a call has one beginning, one end and a result that it can be told."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.drawing import drawn

FILES = {"a.txt": "hub\n", "data/orders.json": '{"orders": [1, 2]}', "src/b.py": "import os\n"}
OWN = [
    {
        "name": "note",
        "parameters": {"type": "object", "properties": {"name": {"type": "string"}}},
        "implementation": {"primitive": "read_file", "args": {"path": "${name}"}},
    },
    {
        "name": "mock",
        "parameters": {"type": "object"},
        "implementation": {"type": "mock", "template": {"x": "${name}"}},
    },
]
# Nothing that a generated text could start or reach: no shell, no builds, no network.
POLICY = {"allowed_tool_kinds": ["file", "data"], "allow_network": False}
TOOLS = ("submit", "read_file", "write_file", "list_files", "search_files", "search_text", "query_sql", "note", "mock")
NAMES = ("path", "content", "prefix", "pattern", "query", "engine", "database_path", "include", "name", "answer")
TEXTS = st.one_of(st.sampled_from(("a.txt", "/workspace", "../x", "src", "sqlite", "select 1", ".*", "")), st.text())
VALUES = st.one_of(TEXTS, st.integers(), st.booleans(), st.none(), st.lists(st.text(), max_size=2))
WRITTEN = st.one_of(st.dictionaries(st.sampled_from(NAMES), VALUES).map(json.dumps), st.text(max_size=20))


@settings(max_examples=drawn(60), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(tool=st.one_of(st.sampled_from(TOOLS), st.text(max_size=8)), written=WRITTEN)
def test_every_call_is_answered_and_recorded(shop, tool, written):
    tools = shop(FILES, policy=POLICY, tools={"custom": OWN})
    result = tools.call(tool, written)
    kinds = [kind for kind, _ in tools.events if kind.startswith("tool.")]
    assert kinds == ["tool.call.started", "tool.call.failed" if result.is_error else "tool.call.completed"]
    assert tools.last()[1]["result"]["content"] == result.text
    json.dumps(tools.events)
    if result.is_error:
        assert json.loads(result.text)["error"]
