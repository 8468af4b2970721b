import pytest

from packs.formats.assertions import Assertion, parse_assertion


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no_secret_leak == true", Assertion("no_secret_leak", "==", True)),
        ("steps<=8", Assertion("steps", "<=", 8)),
        (" cost_usd < 0.5 ", Assertion("cost_usd", "<", 0.5)),
        ('mode != "a \\" b"', Assertion("mode", "!=", 'a " b')),
        ("mode == 'x'", Assertion("mode", "==", "x")),
    ],
)
def test_a_fact_an_operator_and_a_value_make_an_assertion(text, expected):
    assert parse_assertion(text) == expected


@pytest.mark.parametrize(
    "text", ["", "all is well", "a = 1", "a == b", "a < true", "a >= 'x'", "1 == 1", "a == 1 and b"]
)
def test_anything_else_is_none(text):
    assert parse_assertion(text) is None
