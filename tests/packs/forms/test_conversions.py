import pytest

from packs.forms.conversions import Converted, Kind, convert, fit, kind_of


@pytest.mark.parametrize(
    ("value", "kind", "result"),
    [
        ("12", Kind.NUMBER, 12),
        (True, Kind.NUMBER, 1),
        ("yes", Kind.BOOLEAN, True),
        (0, Kind.BOOLEAN, False),
        ("", Kind.NULL, None),
        ("a", Kind.LIST, ["a"]),
        ("a", Kind.OBJECT, {"value": "a"}),
        (["a", 1], Kind.OBJECT, {"0": "a", "1": 1}),
        (1.5, Kind.TEXT, "1.5"),
        (None, Kind.TEXT, ""),
        ({"a": 1}, Kind.JSON, {"a": 1}),
    ],
)
def test_what_fits_the_new_type_is_kept(value, kind, result):
    converted = convert(value, kind)
    assert converted == Converted(result)
    assert type(converted.value) is type(result)


@pytest.mark.parametrize(
    ("value", "kind"),
    [("abc", Kind.NUMBER), ("perhaps", Kind.BOOLEAN), ("abc", Kind.NULL), ({"a": 1}, Kind.LIST), ([1], Kind.NULL)],
)
def test_what_would_be_lost_is_said(value, kind):
    assert convert(value, kind).lost


def test_one_the_text_one_and_true_are_three_types():
    assert [kind_of(value) for value in (1, "1", True, None)] == [Kind.NUMBER, Kind.TEXT, Kind.BOOLEAN, Kind.NULL]


NAME = {"type": "string", "enum": ["latency", "cost"]}
FULL = {"type": "object", "properties": {"key": {"type": "string"}, "weight": {"type": "number"}}, "required": ["key"]}


def test_a_name_becomes_an_object_with_that_key_and_back():
    assert fit("latency", FULL) == Converted({"key": "latency"})
    assert fit({"key": "latency"}, NAME) == Converted("latency")


def test_an_object_that_becomes_a_name_says_what_it_loses():
    found = fit({"key": "cost", "weight": 2}, NAME)
    assert found.value == "cost"
    assert "weight" in found.lost


def test_a_field_that_holds_the_same_word_is_lost_and_said_too():
    found = fit({"key": "cost", "note": "cost"}, NAME)
    assert found.value == "cost"
    assert "note" in found.lost


def test_an_object_stays_as_it_is_in_another_variant_of_objects():
    assert fit({"other": 1}, FULL) == Converted({"other": 1})
