import pytest

FILE = {"read_file", "write_file", "list_files", "search_files", "search_text"}
DATA = {"query_json", "query_sql"}
BUILD = {"run_tests", "build"}


@pytest.mark.parametrize(
    ("policy", "names"),
    [
        ({}, {"submit"} | FILE | DATA | BUILD),
        ({"allowed_tool_kinds": []}, {"submit"} | FILE | DATA | BUILD),
        ({"allowed_tool_kinds": ["File"]}, {"submit"} | FILE),
        ({"allowed_tool_kinds": ["file"], "allow_shell": True}, {"submit", "exec"} | FILE),
        ({"allowed_tool_kinds": ["network", "data"], "allow_network": True}, {"submit", "http_request"} | DATA),
        ({"allowed_tool_kinds": ["browser", "terminal"]}, {"submit"}),
        ({"allowed_tool_kinds": ["network"]}, {"submit"}),
    ],
)
def test_the_policy_says_which_primitives_there_are(shop, policy, names):
    assert shop(policy=policy).names == names


def test_a_network_of_the_sandbox_is_one_for_tools_unless_the_policy_forbids_it(shop):
    kinds = {"allowed_tool_kinds": ["network"]}
    assert "http_request" in shop(policy=kinds, network=True).names
    assert "http_request" not in shop(policy={**kinds, "allow_network": False}, network=True).names


def test_allowed_and_denied_names_leave_submit_and_the_packs_own_tools(shop):
    own = {"name": "track", "implementation": {"type": "mock"}}
    assert shop(tools={"allowed": ["read_file"], "custom": [own]}).names == {"submit", "read_file", "track"}
    denied = shop(tools={"denied": ["exec", "submit", "track"], "custom": [own]}).names
    assert {"exec", "track"}.isdisjoint(denied)
    assert "submit" in denied


def test_a_denied_tool_is_out_of_scope_and_an_unknown_one_is_not_there(shop):
    tools = shop(policy={"allowed_tool_kinds": ["file"]})
    assert tools.error("exec", command=["id"]) == "tool is not allowed in this runtime"
    assert tools.origin() == "policy"
    assert tools.error("teleport") == "tool is not available in this runtime"
    assert tools.origin() == "resolution"


def test_without_a_workspace_only_tools_that_need_none_are_left(shop):
    assert shop(has_room=False).names == {"submit", "http_request"}


@pytest.mark.parametrize("mode", ["prompt_eval", "responses"])
def test_modes_without_tools_have_none(shop, mode):
    assert shop(mode=mode).names == set()
