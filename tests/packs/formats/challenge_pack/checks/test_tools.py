import pytest

from tests.packs.formats.challenge_pack.samples import found_in

PARAMETERS = {"type": "object", "properties": {"id": {"type": "string"}, " spaced ": {}}}


def in_tools(*tools):
    return found_in({"tools": {"custom": [*tools]}}, "tools")


def found(args, **tool):
    tool = {"name": "t", "parameters": PARAMETERS, "implementation": {"primitive": "exec", "args": args}, **tool}
    return in_tools(tool)


def chain(length):
    """`length` tools, each delegating to the next, the last to a built-in one."""
    names = [f"t{number}" for number in range(length)]
    followers = [*names[1:], "exec"]
    return [
        {"name": name, "implementation": {"primitive": follower, "args": {}}}
        for name, follower in zip(names, followers, strict=True)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "${id}",
        "a ${id.part} b ${id}",
        "${parameters}",
        "${json:parameters}",
        "${query:id}",
        "${path:id.x}",
        "${spaced}",
    ],
)
def test_a_placeholder_of_a_declared_parameter_is_accepted(text):
    assert found({"a": text}) == []


@pytest.mark.parametrize("text", ["${secrets.KEY}", "${json:secrets.KEY}", "$id", "{id}", "$${id}"])
def test_secrets_and_text_that_only_looks_alike_are_accepted(text):
    assert found({"a": text}) == []


@pytest.mark.parametrize(
    "text", ["${ id }", "${other}", "${secrets.}", "${secrets}", "${xml:id}", "${.id}", "${JSON:id}"]
)
def test_an_unknown_placeholder_is_found_where_it_stands(text):
    assert found({"deep": [{"k": text}]}) == [("T8", "tools.custom[0].implementation.args.deep[0].k")]


@pytest.mark.parametrize("text", ["${id", "${", "${}", "${  }", "ok ${id} then ${"])
def test_a_broken_placeholder_is_found_once(text):
    assert found({"a": text}) == [("T7", "tools.custom[0].implementation.args.a")]


def test_only_the_first_unknown_placeholder_of_a_tool_is_told():
    assert found({"a": ["${x}", "${y}"]}) == [("T8", "tools.custom[0].implementation.args.a[0]")]


def test_an_unknown_placeholder_before_a_broken_one_is_told_too():
    path = "tools.custom[0].implementation.args.a"
    assert found({"a": ["${x}", "${"]}) == [("T7", f"{path}[1]"), ("T8", f"{path}[0]")]
    assert found({"a": ["${", "${x}"]}) == [("T7", f"{path}[0]")]


def test_a_mock_is_not_looked_at_any_further():
    assert found({}, implementation={"type": " MOCK "}, parameters=7) == []


def test_a_tool_without_parameters_declares_none():
    assert found({"a": "${id}"}, parameters=None) == [("T8", "tools.custom[0].implementation.args.a")]


def test_a_chain_of_eight_tools_is_accepted_and_a_longer_one_is_told_once_for_each_tool_that_is_too_far():
    assert in_tools(*chain(8)) == []
    assert in_tools(*chain(10)) == [("T10", "tools"), ("T10", "tools")]


def test_a_tool_that_leads_into_a_circle_is_told_with_those_on_it():
    tools = [*chain(2), {"name": "exec", "implementation": {"primitive": "t1", "args": {}}}]
    assert in_tools(*tools) == [("T9", "tools")] * 3


@pytest.mark.parametrize("implementation", ["x", ["x"], {"primitive": 5}, {"type": True, "primitive": "exec"}])
def test_an_implementation_of_the_wrong_shape_is_one_finding(implementation):
    assert found({}, implementation=implementation) == [("T12", "tools.custom[0].implementation")]


@pytest.mark.parametrize("custom", ["x", {"a": 1}, ["x"], [{"name": 5}], 0, False])
def test_anything_but_a_list_of_tools_is_one_finding(custom):
    assert found_in({"tools": {"custom": custom}}, "tools") == [("T11", "tools")]
