import re
from datetime import date
from math import isfinite

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from packs.formats.yamlio import CORE_12, GO_YAML, YAML_11, read
from tests.drawing import drawn

GO = [
    ("yes", "yes"),
    ("off", "off"),
    ("n", "n"),
    ("True", True),
    ("tRUE", "tRUE"),
    ("~", None),
    ("", None),
    ("NULL", None),
    ("12:30", "12:30"),
    ("0x10", 16),
    ("0xb", 11),
    ("-0xB1", -177),
    ("0b11", 3),
    ("-0X1f", -31),
    ("0o17", 15),
    ("017", 15),
    ("08", 8),
    ("0b101", 5),
    ("-0b11", -3),
    ("1_000", 1000),
    ("_1", "_1"),
    ("+12", 12),
    ("-0", 0),
    ("1.50", 1.5),
    ("1.", 1.0),
    (".5", 0.5),
    ("1e3", 1000.0),
    ("1e999", "1e999"),
    (".5_0", ".5_0"),
    ("1.2.3", "1.2.3"),
    ("+", "+"),
    ("-", "-"),
    (".", "."),
    ("2026-01-02", "2026-01-02T00:00:00Z"),
    ("2026-1-2", "2026-01-02T00:00:00Z"),
    ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
    ("2026-01-02t03:04:05.1200+02:00", "2026-01-02T03:04:05.12+02:00"),
    ("2026-01-02T03:04:05-00:00", "2026-01-02T03:04:05Z"),
    ("2026-01-02 03:04:05.5", "2026-01-02T03:04:05.5Z"),
    ("2026-01-02 03:04:05Z", "2026-01-02 03:04:05Z"),
    ("2026-02-30", "2026-02-30"),
    ("2026-01-02T24:00:00Z", "2026-01-02T24:00:00Z"),
    ("\u0661", "\u0661"),
]

CORE = [
    ("yes", "yes"),
    ("TRUE", True),
    ("Null", None),
    ("017", 17),
    ("0o17", 15),
    ("0x1F", 31),
    ("-0x1F", "-0x1F"),
    ("0b1", "0b1"),
    ("1_000", "1_000"),
    ("1.0", 1.0),
    ("1e3", 1000.0),
    ("2026-01-02", "2026-01-02"),
    ("12:30", "12:30"),
]


@pytest.mark.parametrize(("text", "value"), GO)
def test_challenge_packs_take_plain_scalars_as_go_does(text, value):
    found = GO_YAML.resolve(text)
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(("text", "value"), CORE)
def test_other_formats_take_plain_scalars_by_the_core_schema(text, value):
    found = CORE_12.resolve(text)
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize("dialect", [GO_YAML, CORE_12])
def test_a_number_of_a_million_digits_costs_no_time_and_stays_text(dialect):
    text = "9" * 1_000_000
    assert dialect.resolve(text) == text


def by_pyyaml(text):
    """What PyYAML's safe loader makes of a plain scalar; its text where that is a date, an infinity or an error."""
    try:
        [value] = yaml.safe_load(f"[{text} ]")
    except (yaml.YAMLError, ValueError):
        return text
    return text if isinstance(value, date) else value


@settings(max_examples=drawn(500))
@given(
    st.one_of(
        st.text("0123456789abcdefxo_:.eE+-~", min_size=1, max_size=12),
        st.sampled_from(["yes", "No", "oN", "OFF", "y", "N", "True", "null", "NULL", "~", ".inf", "-.INF", ".nan"]),
        st.from_regex(r"[-+]?[0-9]{1,4}(:[0-9]{1,2}){1,3}(\.[0-9]*)?", fullmatch=True),
        st.from_regex(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{1,2}:[0-9]{2}:[0-9]{2}Z?)?", fullmatch=True),
    )
)
@example("17:36:54.821")
def test_scalars_of_yaml_11_are_what_pyyaml_makes_of_them(text):
    assume(not re.search(r"^[-:]|: |:$| #|^\.\.\.", text))
    found, expected = YAML_11.resolve(text), by_pyyaml(text)
    if isinstance(expected, float) and not isfinite(expected):
        assert found == text or repr(found) == repr(expected)
    else:
        assert (type(found), found) == (type(expected), expected)


def test_a_date_that_another_reader_makes_is_worth_a_warning():
    value, findings = read("made: 2026-01-02\nquoted: '2026-01-02'\nid: 2026\n", dialect=YAML_11)
    assert value == {"made": "2026-01-02", "quoted": "2026-01-02", "id": 2026}
    assert [(finding.code, finding.line) for finding in findings] == [("yaml.W005", 1)]
