import re
from pathlib import Path

import pytest

from runs.agents.tools import PRIMITIVES
from runs.agents.tools.toolbox import MAX_RESULT
from runs.sandbox.contract import SandboxUnavailable

PAGE = Path(__file__).resolve().parents[4] / "docs/tools.md"


def test_tools_are_declared_as_functions(shop):
    own = {"name": "track", "description": "Finds a parcel", "implementation": {"type": "mock"}}
    declared = {entry["function"]["name"]: entry for entry in shop(tools={"custom": [own]}).toolbox.declarations}
    assert declared["read_file"]["type"] == "function"
    assert declared["read_file"]["function"]["parameters"]["required"] == ["path"]
    assert declared["track"]["function"]["description"] == "Finds a parcel"
    assert declared["track"]["function"]["parameters"]["type"] == "object"


def test_tools_that_are_not_the_agents_are_neither_declared_nor_done(shop):
    tools = shop(policy={})
    hidden = set(PRIMITIVES) - set(tools.toolbox.visible)
    assert hidden
    assert {entry["function"]["name"] for entry in tools.toolbox.declarations} == set(tools.toolbox.visible)
    tools.error(sorted(hidden)[0])


def test_a_tool_that_a_pack_denies_is_not_declared_although_the_policy_lets_it_work(shop):
    for tools, declares in ((None, True), ({"denied": ["read_file"]}, False)):
        declarations = shop(**({"tools": tools} if tools else {})).toolbox.declarations
        assert ("read_file" in {entry["function"]["name"] for entry in declarations}) is declares


def test_blanks_around_the_name_of_a_tool_do_not_hide_it(shop):
    own = {"name": "track", "implementation": {"type": "mock", "response": "at the hub"}}
    assert shop(tools={"custom": [own]}).call(" track\n").text == "at the hub"


@pytest.mark.parametrize("arguments", ["{", "[1]", '"x"', '{"path": 3}', '{"path": "a", "more": 1}', ""])
def test_arguments_that_do_not_fit_are_told_and_recorded(shop, arguments):
    tools = shop()
    assert tools.call("read_file", arguments, call_id="c1").is_error
    assert [kind for kind, _ in tools.events] == ["tool.call.started", "tool.call.failed"]
    assert (tools.origin(), tools.last()[1]["tool_call_id"]) == ("resolution", "c1")


def test_a_mock_may_take_the_name_of_a_primitive(shop):
    own = {"name": "http_request", "implementation": {"type": "mock", "response": "never sent"}}
    assert shop(tools={"custom": [own]}).call("http_request").text == "never sent"


def test_a_long_result_is_cut_for_the_agent(shop):
    own = {"name": "flood", "implementation": {"type": "mock", "response": "x" * (MAX_RESULT + 5)}}
    text = shop(tools={"custom": [own]}).call("flood").text
    assert text.startswith("x" * MAX_RESULT)
    assert "5 characters left out" in text


def test_planted_secrets_of_the_vault_are_bait_and_can_be_named(shop):
    planted = [{"name": "KEY", "value": "canary", "location": "infisical-mock"}]
    own = {
        "name": "ask",
        "implementation": {"primitive": "http_request", "args": {"method": "X", "url": "https://h/${secrets.KEY}"}},
    }
    tools = shop(tools={"custom": [own]}, security={"planted_secrets": planted})
    assert "method" in tools.error("ask")


def test_trouble_of_the_machine_is_not_the_tools(shop, monkeypatch):
    tools = shop()

    def fail(*arguments, **more):
        raise SandboxUnavailable("the disk is gone")

    monkeypatch.setattr(type(tools.workspace), "read_file", fail)
    with pytest.raises(SandboxUnavailable):
        tools.call("read_file", {"path": "a"})


def test_every_primitive_is_on_the_page_about_tools():
    rows = dict(re.findall(r"^\| `(\w+)` \| (\w*) ?\| ", PAGE.read_text(), re.M))
    assert rows == {primitive.name: primitive.kind for primitive in PRIMITIVES.values()}
