import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.audience import fields_of, name_of
from packs.formats.schema.pieces import (
    AGENT,
    STUDIO,
    UNASKED,
    anything,
    audiences,
    block,
    free_map,
    items,
    mapping,
    text,
)
from packs.formats.task_suite.reference import SHOWN


def stated(schema):
    return [(name_of(field.path), field.audience) for field in fields_of(schema)]


NODES = [(name, kind) for name in FORMATS for kind in adapter_of(name).SCHEMA]


@pytest.mark.parametrize(("name", "kind"), NODES, ids=lambda part: str(part))
def test_every_field_of_every_format_says_whether_agents_may_see_it(name, kind):
    fields = fields_of(adapter_of(name).SCHEMA[kind])
    unsaid = [name_of(field.path) for field in fields if field.audience not in (AGENT, STUDIO, UNASKED)]
    assert unsaid == [], "state it in the schema: `audience=` of the field, or `audiences` around its block"


def test_a_part_of_what_is_for_the_studio_needs_no_word_of_its_own():
    schema = block("Top", {"in": block("In", {"a": text("A"), "b": items("B", text("E"))}, audience=STUDIO)})
    assert stated(schema) == [("in.a", STUDIO), ("in.b[]", STUDIO)]


def test_a_new_field_of_what_agents_may_see_says_nothing_until_it_is_asked():
    schema = items("Top", block("In", {"old": text("A", audience=AGENT), "new": text("B")}), audience=AGENT)
    assert stated(schema) == [("[].old", AGENT), ("[].new", "")]


def test_a_field_can_say_something_else_than_what_it_stands_in():
    schema = block("Top", {"a": text("A", audience=AGENT), "b": text("B")}, audience=STUDIO)
    assert stated(schema) == [("a", AGENT), ("b", STUDIO)]


def test_all_shapes_and_conditions_of_a_field_are_looked_at():
    shapes = {"x-audience": AGENT, "oneOf": [text("A"), block("B", {"b": text("C")}), mapping("M", text("V"))]}
    condition = {"if": {"properties": {"k": {"const": "x"}}}, "then": {"properties": {"c": text("D")}}}
    schema = block("Top", {"a": shapes}, allOf=[condition])
    assert stated(schema) == [("c", ""), ("a", AGENT), ("a.b", ""), ("a.*", AGENT)]


def test_free_content_names_its_parts_that_agents_do_not_see():
    schema = block("Top", {"tools": free_map("T", audience={"": AGENT, "custom/[]/how": STUDIO}), "x": anything("X")})
    assert stated(schema) == [("tools", AGENT), ("tools.custom[].how", STUDIO), ("x", "")]


def test_fields_that_are_named_together_say_it_each():
    found = audiences({"a": text("A"), "b": text("B"), "c": text("C")}, agent=("a",), studio=("c",))
    assert [part.get("x-audience") for part in found.values()] == [AGENT, None, STUDIO]


def test_task_suites_tell_agents_what_their_specification_lists():
    told = "repo_path issue_statement user_message conversation_context constraints policy tools_available"
    assert tuple(told.split()) == SHOWN
