import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.forms.rows import RowKind, mapping_of, read_rows, row_of, rows_of

SCALARS = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    SCALARS | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def form_of(mapping, **changed):
    """What a browser sends of the untouched rows, lines ended as browsers do."""
    data = {}
    for at, row in enumerate(rows_of(mapping)):
        key = row.key.replace("\r", "").replace("\n", "")
        texts = {"was": row.origin, "key": key, "kind": row.kind.value, "text": row.text.replace("\n", "\r\n")}
        data |= {f"{name}-{at}": text for name, text in texts.items()}
    return data | changed


def read(mapping, **changed):
    return mapping_of(
        read_rows(form_of(mapping, **{name.replace("_", "-"): text for name, text in changed.items()})), mapping
    )


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("hard", RowKind.TEXT),
        (41, RowKind.NUMBER),
        (1.0, RowKind.NUMBER),
        (False, RowKind.YES_NO),
        (["a", "b c"], RowKind.LIST),
        ([], RowKind.LIST),
        ([1, 2], RowKind.YAML),
        ([" a"], RowKind.YAML),
        ({"a": {"b": 1}}, RowKind.YAML),
        (None, RowKind.YAML),
        ("rings\x07", RowKind.YAML),
    ],
)
def test_every_value_is_shown_as_the_simplest_type_that_says_it(value, kind):
    assert row_of("key", value).kind is kind


@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=4))
def test_rows_that_nobody_touched_give_the_very_same_mapping(mapping):
    found, rows = read(mapping)
    assert (repr(found), [row.trouble for row in rows if row.trouble]) == (repr(mapping), [])


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("text", "12", "12"),
        ("number", " 0.5 ", 0.5),
        ("yes_no", "Yes", True),
        ("list", "one\n\n two ", ["one", "two"]),
        ("yaml", "{a: [1, x]}", {"a": [1, "x"]}),
        ("yaml", "on: 1", {"on": 1}),
    ],
)
def test_a_new_row_is_read_as_its_type_says(kind, text, value):
    assert read({}, key_0="key", kind_0=kind, text_0=text)[0] == {"key": value}


@pytest.mark.parametrize(
    ("kind", "text", "trouble"),
    [
        ("number", "many", "no_number"),
        ("yes_no", "", "no_answer"),
        ("yaml", "{a: ", "no_yaml"),
        ("yaml", "a: 1\na: 2", "no_yaml"),
    ],
)
def test_a_text_that_is_not_of_its_type_is_told_and_kept(kind, text, trouble):
    found, rows = read({}, key_0="key", kind_0=kind, text_0=text)
    assert (found, rows[0].trouble, rows[0].text) == ({}, trouble, text)


def test_a_row_without_a_key_and_a_key_that_stands_twice_are_told():
    _, rows = read({"a": 1}, key_1="a", text_1="2", key_2="", text_2="x")
    assert [row.trouble for row in rows] == ["", "taken", "no_key"]


def test_a_renamed_row_keeps_its_place_and_its_value_and_a_dropped_one_goes():
    found, _ = read({"a": 1.0, "b": 2, "c": 3}, key_0="first", drop_1="1")
    assert list(found.items()) == [("first", 1.0), ("c", 3)]
    assert isinstance(found["first"], float)
