from packs.formats import adapter_of
from packs.formats.document import NodeKind
from packs.formats.names import homes_of, keys_in, sorts_in, unique

SOURCE = {"x-picks": ["input:{inputs}", "artifact:{assets}"]}


def test_lists_declare_what_their_items_state_or_are():
    assert keys_in(None) == []
    assert keys_in([{"key": "a"}, "b", 7, {}]) == ["a", "b", None, None]
    assert keys_in([{"name": "a"}], "name") == ["a"]
    assert unique([" a ", "a", " "]) == ("a",)


def test_a_home_says_where_each_name_stands():
    tools, forbidden = [
        home for home in homes_of(adapter_of("task_suite").SCHEMA[NodeKind.CASE]) if home.name == "tools"
    ]
    document = {"inputs": {"tools_available": ["look", " refund "]}}
    assert list(tools.stated(document)) == [
        ("look", "/inputs/tools_available/0"),
        ("refund", "/inputs/tools_available/1"),
    ]
    assert [name for name, _ in forbidden.stated({"inputs": {"forbidden_tools": ["wipe"]}})] == ["wipe"]
    [graders] = [home for home in homes_of(adapter_of("agentv").SCHEMA[NodeKind.CASE]) if home.name == "graders"]
    assert list(graders.stated({"assertions": [{"name": "polite"}]})) == [("polite", "/assertions/0/name")]


def test_what_a_schema_names_is_found_below_conditions_and_variants():
    assert sorts_in({"allOf": [{"then": {"properties": {"a": SOURCE}}}], "oneOf": [{"x-picks": "judges"}]}) == {
        "inputs",
        "assets",
        "judges",
    }
