import pytest

from packs.editing import ABSENT
from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.document import NodeKind
from packs.forms.arranging import Act, Press, arrange, read_press, settle

CASE = SCHEMA[NodeKind.CASE]
LIST = {"inputs": [{"key": "a"}, {"key": "b"}, {"key": "c"}]}


def keys(arranged):
    return [item.get("key") for item in arranged.document["inputs"]]


@pytest.mark.parametrize(
    ("act", "index", "expected", "focus"),
    [
        (Act.UP, 1, ["b", "a", "c"], "/inputs/0"),
        (Act.UP, 0, ["a", "b", "c"], "/inputs/0"),
        (Act.DOWN, 1, ["a", "c", "b"], "/inputs/2"),
        (Act.DOWN, 2, ["a", "b", "c"], "/inputs/2"),
        (Act.DUPLICATE, 0, ["a", "a", "b", "c"], "/inputs/1"),
        (Act.REMOVE, 1, ["a", "c"], "/inputs"),
    ],
)
def test_items_move_double_and_go(act, index, expected, focus):
    arranged = arrange(CASE, LIST, Press(act, f"/inputs/{index}"))
    assert keys(arranged) == expected
    assert arranged.focus == focus


def test_a_new_item_comes_last_and_is_looked_at_next():
    arranged = arrange(CASE, LIST, Press(Act.ADD, "/inputs"))
    assert (keys(arranged)[3], arranged.focus) == (None, "/inputs/3")
    assert arrange(CASE, {}, Press(Act.ADD, "/inputs")).document == {"inputs": [{}]}


def test_a_new_entry_gets_a_free_name():
    assert arrange(CASE, {"payload": {"key": 1}}, Press(Act.ADD, "/payload")).document["payload"] == {
        "key": 1,
        "key_2": "",
    }
    assert arrange(CASE, {}, Press(Act.ADD, "/payload"), "a/b").focus == "/payload/a~1b"


def test_an_optional_part_is_added_with_what_its_schema_prescribes():
    document = arrange(CASE, {}, Press(Act.ADD, "/user_simulator")).document
    assert document == {"user_simulator": {"schema_version": 1, "kind": "hybrid"}}


@pytest.mark.parametrize("pointer", ["/inputs/9", "/nothing/0", "", "/inputs/x"])
@pytest.mark.parametrize("act", [Act.UP, Act.DUPLICATE, Act.REMOVE])
def test_a_button_for_something_gone_changes_nothing(act, pointer):
    assert arrange(CASE, LIST, Press(act, pointer)).document == LIST


@pytest.mark.parametrize("text", ["", "add", "explode:/a", "add:a"])
def test_what_names_no_button_is_none(text):
    assert read_press(text) is None


def test_a_button_survives_the_way_through_the_page():
    press = Press(Act.ADD, "/a\nb/é")
    assert press.text.isascii()
    assert read_press(press.text) == press


def test_a_chosen_type_is_taken_over_unless_something_would_be_lost():
    document, refusals = settle(
        CASE, {"payload": {"a": "1", "b": "x"}}, {"/payload/a": "number", "/payload/b": "null"}, {}
    )
    assert document == {"payload": {"a": 1, "b": "x"}}
    assert [(refusal.pointer, refusal.lost) for refusal in refusals] == [("/payload/b", "x")]
    assert settle(CASE, document, {"/payload/b": "null"}, {}, confirmed="/payload/b")[0]["payload"]["b"] is None


def test_a_type_for_an_absent_value_makes_it():
    document, _ = settle(CASE, {"inputs": [{}]}, {"/inputs/0/value": "list"}, {})
    assert document == {"inputs": [{"value": []}]}
    assert settle(CASE, {"inputs": [{}]}, {"/inputs/0/value": "text"}, {})[0] == {"inputs": [{}]}


def test_a_chosen_variant_converts_the_value():
    schema = {
        "oneOf": [
            {"type": "string"},
            {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]},
        ]
    }
    assert settle(schema, "cost", {}, {"": 1})[0] == {"key": "cost"}
    assert settle(schema, ABSENT, {}, {"": 1})[0] is ABSENT


def test_a_choice_that_is_neither_a_type_nor_a_variant_changes_nothing():
    for choice in ("²", "9" * 5000, "colour"):
        assert settle(CASE, {"inputs": [{"value": 1}]}, {"/inputs/0/value": choice}, {}) == (
            {"inputs": [{"value": 1}]},
            [],
        )
