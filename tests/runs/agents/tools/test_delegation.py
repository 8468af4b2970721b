from runs.agents.tools.delegation import MAX_CHAIN, own_tools

PATH = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def tool(called, primitive, parameters=None, /, **args):
    shape = {"parameters": parameters} if parameters else {}
    return {"name": called, "implementation": {"primitive": primitive, "args": args}, **shape}


def custom(*tools):
    return {"custom": list(tools)}


def test_a_tool_of_the_pack_has_its_work_done_by_a_primitive(shop):
    tools = shop({"notes/a.txt": "hub"}, tools=custom(tool("note", "read_file", PATH, path="notes/${name}.txt")))
    assert tools.value("note", name="a")["content"] == "hub"
    done = tools.last()[1]
    assert (done["tool_category"], done["resolved_tool_name"], done["resolved_tool_category"]) == (
        "composed",
        "read_file",
        "primitive",
    )
    assert done["resolution_chain"] == ["note", "read_file"]


def test_parameters_that_are_no_schema_check_nothing(shop):
    tools = shop({"a.txt": "hub"}, tools=custom(tool("note", "read_file", {"type": "nothing"}, path="a.txt")))
    assert tools.value("note")["content"] == "hub"


def test_a_chain_ends_in_a_mock_with_the_arguments_of_each_step(shop):
    mock = {
        "name": "end",
        "parameters": PATH,
        "implementation": {"type": "mock", "strategy": "echo", "template": {"got": "${name}"}},
    }
    tools = shop(tools=custom(tool("start", "end", PATH, name="<${name}>"), mock))
    assert tools.value("start", name="x") == {"got": "<x>"}
    assert tools.last()[1]["resolved_tool_category"] == "mock"


def test_a_failed_delegation_says_where_it_failed(shop):
    tools = shop(tools=custom(tool("note", "read_file", PATH, path="${name}")))
    tools.error("note", name="gone.txt")
    assert (tools.origin(), tools.last()[1]["failure_depth"]) == ("primitive", 1)


def test_a_delegate_that_the_policy_forbids_is_out_of_scope(shop):
    tools = shop(policy={}, tools=custom(tool("run", "exec", command=["id"])))
    tools.error("run")
    assert tools.origin() == "policy"


def test_a_delegate_that_is_only_hidden_still_works(shop):
    tools = shop({"a.txt": "hub"}, tools={"allowed": ["submit"], **custom(tool("look", "read_file", path="a.txt"))})
    assert tools.names == {"submit", "look"}
    assert tools.value("look")["content"] == "hub"


def test_missing_circular_and_endless_delegation_fail_each_in_its_way(shop):
    deep = [tool(f"t{number}", f"t{number + 1}") for number in range(MAX_CHAIN + 2)]
    tools = shop(tools=custom(tool("lost", "nobody"), tool("a", "b"), tool("b", "a"), *deep))
    for name, origin in (("lost", "delegation"), ("a", "cycle"), ("t0", "depth")):
        tools.error(name)
        assert tools.origin() == origin


def test_secrets_are_passed_to_no_tool_that_shows_them(shop):
    shown = tool("shown", "write_file", path="key.txt", content="${secrets.KEY}")
    kept = tool("kept", "http_request", method="GET", url="https://h/${secrets.KEY}", output_path="x")
    tools = shop(tools=custom(shown, kept), secrets={"KEY": "k3y-value"})
    for name in ("shown", "kept"):
        tools.error(name)
        assert tools.origin() == "resolution"
    assert tools.value("list_files")["files"] == []


def test_defaults_of_the_schema_stand_in_for_what_is_not_given(shop):
    shape = {"type": "object", "properties": {"name": {"type": "string", "default": "a.txt"}}}
    assert shop({"a.txt": "hub"}, tools=custom(tool("note", "read_file", shape, path="${name}"))).value("note")


def test_entries_that_are_no_tools_are_passed_over():
    assert own_tools({"custom": [1, {"name": " "}, {"name": 3}, {"name": " a "}]}).keys() == {"a"}
    assert own_tools({"custom": "x"}) == {}
