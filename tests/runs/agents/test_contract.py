from pathlib import Path

import jsonschema_rs
import pytest

from runs.agents import AGENTS

PAGE = Path(__file__).parents[3] / "docs" / "agents.md"


@pytest.mark.parametrize("kind", sorted(AGENTS))
def test_every_kind_has_a_usable_schema_and_a_line_in_the_documentation(kind):
    agent = AGENTS[kind]
    jsonschema_rs.validator_for(agent.SCHEMA)
    assert agent.SCHEMA["type"] == "object"
    assert agent.LABEL
    assert agent.HELP
    text = PAGE.read_text()
    assert f"| `{kind}` |" in text
    assert [name for name in agent.SCHEMA["properties"] if f"`{name}`" not in text] == []
