import pytest

from packs.formats.yamlio import CORE_12, GO_YAML

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
