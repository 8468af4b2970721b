import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.patterns import MAX_PATTERN_LENGTH, Pattern, PatternTrouble, compile_pattern


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        (r"^\d+$", "123", True),
        (r"\d+", "é ٣ x", False),
        ("(?i)straße", "DIE STRASSE, Straße", True),
        ("(?s)a.b", "a\nb", True),
        ("a.b", "a\nb", False),
        (r"\p{Greek}", "α", True),
        ("", "", True),
        ("x", "\ud800x", True),
    ],
)
def test_a_pattern_is_searched_anywhere_in_the_text(source, text, expected):
    assert compile_pattern(source).is_found(text) is expected


@pytest.mark.parametrize(
    "source", ["(?=a)", "a(?!b)", "(?<=a)b", "(?<!a)b", r"(a)\1", "(?>a)", r"a\Z", "(?#x)", "a{2000}", "(?P<n>a)(?P=n)"]
)
def test_what_other_dialects_have_and_re2_has_not_comes_with_advice(source):
    assert compile_pattern(source).hint


@pytest.mark.parametrize("source", ["(", "[", "a**", "\\", "[z-a]", "\ud800", "x" * (MAX_PATTERN_LENGTH + 1)])
def test_a_broken_pattern_is_trouble_as_a_value(source):
    assert isinstance(compile_pattern(source), PatternTrouble)
    assert compile_pattern(source).message


def test_a_refused_pattern_writes_nothing_to_the_log(capfd):
    compile_pattern("(?=quiet)")
    assert capfd.readouterr() == ("", "")


def test_the_classic_trap_of_backtracking_ends_at_once():
    assert not compile_pattern("(a+)+$").is_found("a" * 100_000 + "b")


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_pattern_and_no_text_make_it_raise(source, text):
    found = compile_pattern(source)
    if isinstance(found, Pattern):
        found.is_found(text)
