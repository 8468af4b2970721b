import pytest

from runs.grading.graders.texts import STEPS, run_pipeline, trim, words


@pytest.mark.parametrize(
    ("step", "text", "result"),
    [
        ("trim", "\u00a0 a\n", "a"),
        ("lowercase", "Straße", "strasse"),
        ("collapse_whitespace", "a \t\n b", "a b"),
        ("strip_punctuation", "a, (b) $5+1!", "a b 51"),
        ("strip_currency", "€5 USD", "5 "),
        ("strip_formatting", "[(1,000)]", "1000"),
        ("normalize_unicode", "ﬁne", "fine"),
        ("remove_articles", "the a-b an", "   -b  "),
        ("sort_words", "b  a c", "a b c"),
        ("sort_lines", "b\r\na", "a\nb"),
    ],
)
def test_each_step_does_what_its_name_says(step, text, result):
    assert run_pipeline(text, [step]) == result


def test_every_step_is_covered():
    assert len(STEPS) == 10


def test_control_characters_that_are_no_space_stay():
    assert trim("\x1ca\x1f") == "\x1ca\x1f"
    assert words("a\x1cb \u2003c") == ["a\x1cb", "c"]
