import pytest

from packs.editing.values import ABSENT
from packs.formats.schema.pieces import choice, integer, items, number, text, yes_no
from packs.formats.tables.texts import plain
from packs.grid.cells import glimpse, read, shown

WORDS = {"oneOf": [text("Text"), number("Number")]}
MANY = items("Answers", WORDS)
MAP = {"oneOf": [text("Text"), {"type": "object"}]}


@pytest.mark.parametrize(
    ("typed", "schema", "value"),
    [
        ("Leeds", text("Name"), "Leeds"),
        ("007", text("Name"), "007"),
        ("12.5", number("Seconds"), 12.5),
        ("soon", number("Seconds"), "soon"),
        ("12", integer("Count"), 12),
        ("1.5", integer("Count"), "1.5"),
        ("yes", yes_no("Flag"), True),
        ("b", choice("Word", {"a": "A", "b": "B"}), "b"),
        ("c", choice("Word", {"a": "A", "b": "B"}), "c"),
        ("one\ntwo", MANY, ["one", "two"]),
        ('["one", 2]', MANY, ["one", 2]),
        ('{"a": 1}', MAP, {"a": 1}),
        ("{no json", MAP, "{no json"),
        ("42", {}, 42),
        ("42 parcels", {}, "42 parcels"),
        ("", text("Name"), ABSENT),
    ],
)
def test_a_text_is_read_as_its_schema_says(typed, schema, value):
    found = read(typed, schema)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "value", ["Leeds\r\nHub", 2.0, True, None, ["a"], ["a", "b"], ["a\nb"], [1, "a"], {"a": [1]}, []]
)
def test_a_text_that_shows_the_present_value_changes_nothing(value):
    for schema in (text("Name"), MANY, {}):
        assert read(plain(shown(value)), schema, value) is value


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("Leeds", "Leeds"),
        ({"total": 2.4}, '{"total":2.4}'),
        ([{"type": "contains", "value": "Leeds"}, "It is polite."], "contains · Leeds\nIt is polite."),
        ([{"role": "user", "content": "Where?"}, {"a": 1}], 'Where?\n{"a":1}'),
        (
            [{"role": "user", "content": [{"type": "file", "value": "a.md"}, {"type": "text", "value": "Where?"}]}],
            "file · a.md\ntext · Where?",
        ),
    ],
)
def test_lists_of_objects_are_shown_by_what_tells_them_apart(value, said):
    assert glimpse(value).replace(": ", ":") == said


def test_a_number_stays_a_number_and_a_text_a_text_where_both_may_be():
    assert read("43", WORDS, 42) == 43
    assert read("43", WORDS, "42") == "43"
    assert read("43", {}, "42") == "43"
