import math

import orjson
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.yamlio import CORE_12, GO_YAML, MAX_DEPTH, UnwritableError, read, write

NASTY = [
    *[
        "",
        " ",
        "a ",
        " a",
        "-",
        "- a",
        "?",
        "? a",
        ":",
        "a:",
        "a: b",
        "a:b",
        "#",
        "a #b",
        "a#b",
        "&a",
        "*a",
        "!a",
        "!!str",
    ],
    *[
        "|",
        ">",
        "%",
        "@",
        "`",
        "'",
        '"',
        "[",
        "]",
        "{",
        "}",
        ",",
        "a, b",
        "{{x}}",
        "~",
        "=",
        "<<",
        "---",
        "...",
        "... x",
    ],
    *["yes", "No", "ON", "off", "y", "N", "true", "False", "null", "NULL", ".inf", "-.INF", ".nan", "NaN"],
    *["0", "007", "0x1f", "0o17", "017", "1_000", "1e3", "1.5", ".5", "1.", "+1", "12:30", "190:20:30", "0b1", "1,000"],
    *["2026-01-02", "2026-01-02T03:04:05Z", "2026-01-02 03:04:05", "\u0661\u0662"],
    *[
        "a\n",
        "a\nb",
        "\na",
        "\n",
        "\n\n",
        "a\n\n",
        "  a\n b",
        "\ta\nb",
        "a \nb",
        "a\n ",
        "a\n\tb",
        "a\n---\nb",
        "# a\nb: c",
    ],
    *[
        "a\rb",
        "a\r\nb",
        "a\x85b",
        "a\u2028b\nc",
        "\ufeffa",
        "\x00",
        "\x1b[0m",
        "\x7f",
        "\ufffe",
        "\U0001f600",
        "a\tb",
        "\\n",
    ],
    *["x" * 5000, "key " * 400, "é\n" * 3, "\u202eabc", "\u3000", "\xa0"],
]
texts = st.sampled_from(NASTY) | st.text(
    st.sampled_from("ab01 \n\t:-#'\"{}[],&*!|>%@`~=<?.\\\r\x85\u2028\ufeff\x00é😀") | st.characters(codec="utf-8"),
    max_size=12,
)
numbers = st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(texts, children, max_size=4),
    max_leaves=12,
)


def same(left, right):
    """Equal in value, type and order of keys."""
    return orjson.dumps(left) == orjson.dumps(right)


@given(values)
def test_what_is_written_is_read_as_the_same_value_by_every_reader(value):
    text = write(value)
    assert same(read(text, dialect=GO_YAML)[0], value)
    assert same(read(text, dialect=CORE_12)[0], value)
    assert same(yaml.safe_load(text), value)
    assert same(yaml.load(text, Loader=yaml.CSafeLoader), value)


@given(values)
def test_canonical_text_is_written_again_byte_for_byte(value):
    text = write(value)
    assert write(read(text, dialect=GO_YAML)[0]) == text


@pytest.mark.parametrize("text", NASTY)
def test_every_nasty_text_survives_as_value_key_and_item(text):
    value = {"value": text, text: 1, "items": [text, {text: [text, [text]]}]}
    written = write(value)
    assert same(read(written, dialect=GO_YAML)[0], value)
    assert same(yaml.safe_load(written), value)


def test_the_layout_is_block_style_with_two_spaces_and_dashes_below_the_key():
    value = {"b": {"x": []}, "a": [{"k": "text", "f": 1.0}, ["p", {}]], "no": "no", "t": "one\ntwo\n"}
    assert write(value) == (
        'b:\n  x: []\na:\n  - k: text\n    f: 1.0\n  - - p\n    - {}\n"no": "no"\nt: |\n  one\n  two\n'
    )


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("a\nb", "|-\n  a\n  b\n"),
        ("a\nb\n", "|\n  a\n  b\n"),
        ("a\n\n\n", "|+\n  a\n\n\n"),
        ("  a\nb", "|2-\n    a\n  b\n"),
        ("\na\n", "|2\n\n  a\n"),
        ("a\n\tb\n", "|\n  a\n  \tb\n"),
        ("a \nb", '"a \\nb"\n'),
        ("a\r\nb", '"a\\r\\nb"\n'),
        ("\n\n", '"\\n\\n"\n'),
        ("a\n\u202eb", '"a\\n\\u202eb"\n'),
    ],
)
def test_text_of_several_lines_is_a_block_where_a_block_holds_it_exactly(text, block):
    assert write({"k": text}) == f"k: {block}"


@pytest.mark.parametrize("value", [1e16, 1e-7, -0.0, 5e-324, 1.7976931348623157e308, 0.1, 100.0])
def test_a_float_is_a_float_for_readers_of_both_versions(value):
    text = write([value])
    for found in (read(text, dialect=CORE_12)[0][0], yaml.safe_load(text)[0]):
        assert type(found) is float
        assert math.copysign(1, found) == math.copysign(1, value)
        assert found == value


@pytest.mark.parametrize(
    "text", ["plain text", "a, b", "v1-beta", "3 apples", "a:b", "it's", "x [y]", "café", "/a/b.txt", "<no"]
)
def test_ordinary_text_keeps_its_plain_look_where_it_is_safe(text):
    assert write([text]) in (f"- {text}\n", f'- "{text}"\n')
    assert (write([text]) == f"- {text}\n") is (text != "<no")


@pytest.mark.parametrize(
    "value", [float("inf"), float("nan"), 2**64, -(2**63) - 1, {1: 2}, "\ud800", {1, 2}, b"x", (1,)]
)
def test_what_json_cannot_hold_is_refused(value):
    with pytest.raises(UnwritableError):
        write({"k": value})


def test_values_deeper_than_a_reader_goes_are_refused():
    value = None
    for _ in range(MAX_DEPTH):
        value = [value]
    assert same(read(write(value), dialect=GO_YAML)[0], value)
    for deep in ([value], [[[value] * 2] * 2]):
        with pytest.raises(UnwritableError):
            write(deep)


def test_shared_values_are_written_out_without_anchors():
    shared = {"x": [1]}
    assert write([shared, shared]) == "- x:\n    - 1\n- x:\n    - 1\n"
