import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats import jsonio
from packs.formats.yamlio import MAX_DEPTH, UnwritableError

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda children: st.lists(children) | st.dictionaries(st.text(st.characters(codec="utf-8")), children),
    max_leaves=10,
)  # fmt: skip


def told(findings):
    return [(finding.code, finding.line, finding.column) for finding in findings]


@given(values)
def test_what_is_written_is_read_as_the_same_value(value):
    for is_indented in (False, True):
        assert jsonio.read(jsonio.write(value, is_indented=is_indented)) == (value, [])


def test_a_byte_order_mark_and_spaces_are_passed_over():
    assert jsonio.read(b"\xef\xbb\xbf {} \n") == ({}, [])


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("", ("json.E001", 1, 1)),
        ('{"a": 1,\n "b": }', ("json.E001", 2, 7)),
        ("[1, 2", ("json.E001", 1, 6)),
        ("{'a': 1}", ("json.E001", 1, 2)),
        ("[1] 2", ("json.E001", 1, 5)),
        (b'["\xc3\xa9\xff"]', ("json.E003", 1, 4)),
        (b'[1,\n"\xff"]', ("json.E003", 2, 2)),
        ("[" * 5000, ("json.E006", 1, 1)),
        ("9" * 5000, ("json.E015", 1, 1)),
    ],
)
def test_broken_json_is_one_finding_with_its_place(data, expected):
    value, findings = jsonio.read(data)
    assert value is None
    assert told(findings) == [expected]


def test_a_repeated_key_is_found_where_it_stands_and_the_first_value_counts():
    value, findings = jsonio.read('{"a": [{"k": 1,\n  "x": 0, "k": 2}]}', file="f.json")
    assert value == {"a": [{"k": 1, "x": 0}]}
    assert told(findings) == [("json.E002", 2, 11)]
    assert (findings[0].path, findings[0].file) == (("a", 0, "k"), "f.json")


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "1e999"])
def test_numbers_that_are_not_finite_are_errors_at_their_place(text):
    value, findings = jsonio.read(f'{{"a": [0,\n {text}]}}')
    assert isinstance(value["a"][1], str)
    assert told(findings) == [("json.E015", 2, 2)]


def test_half_a_character_is_an_error_and_a_whole_one_is_not():
    assert jsonio.read('["\\ud83d\\ude00"]') == (["😀"], [])
    value, findings = jsonio.read('["\\ud83d"]')
    assert value == ["\ufffd"]
    assert told(findings) == [("json.E004", 1, 1)]


def test_an_integer_beyond_64_bits_says_that_it_loses_digits():
    value, findings = jsonio.read("[123456789012345678901, 18446744073709551615]")
    assert value == [123456789012345680000.0, 18446744073709551615]
    assert told(findings) == [("json.W003", 1, 2)]


def test_nesting_is_read_up_to_the_limit_and_brackets_in_texts_do_not_count():
    assert jsonio.read("[" * MAX_DEPTH + "]" * MAX_DEPTH)[1] == []
    assert jsonio.read(json.dumps(["[{" * 1000])) == (["[{" * 1000], [])
    assert told(jsonio.read("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1))[1]) == [("json.E006", 1, 1)]


def test_rows_are_read_one_by_one_with_the_numbers_of_their_lines():
    data = b'\xef\xbb\xbf{"a": 1}\r\n\n  \n{"a": }\n[2]\n{"k": 1, "k": 2}'
    rows = list(jsonio.read_lines(io.BytesIO(data), file="r.jsonl"))
    assert [(row.line, row.value) for row in rows] == [(1, {"a": 1}), (4, None), (5, [2]), (6, {"k": 1})]
    assert [told(row.findings) for row in rows] == [[], [("json.E001", 4, 7)], [], [("json.E002", 6, 10)]]


def test_rows_separated_by_other_line_ends_of_unicode_stay_whole():
    data = '{"a": "x\u2028y\x85z"}\n'.encode()
    assert [row.value for row in jsonio.read_lines([data])] == [{"a": "x\u2028y\x85z"}]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**64, "\ud800", {1: 2}, {1, 2}])
def test_what_json_cannot_hold_is_not_written(value):
    with pytest.raises(UnwritableError):
        jsonio.write([value])


@pytest.mark.parametrize("unit", ["[", '{"a":', '"', " ", "1", "\\", '"\\', "-", "[],", "{"])
def test_megabytes_of_one_sign_end_as_findings(unit):
    data = (unit * (5_000_000 // len(unit))).encode()
    assert len(jsonio.read(data)[1]) == 1


@given(st.binary(max_size=100) | st.text('[]{}:,"\\u0019eE+-.NaInfinityd8 \n', max_size=60))
def test_nothing_makes_it_raise(data):
    jsonio.read(data)
    list(jsonio.read_lines([data.encode() if isinstance(data, str) else data]))
