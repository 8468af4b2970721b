import pytest

from packs.formats.yamlio import GO_YAML, read
from packs.formats.yamlio.syntax import explain


@pytest.mark.parametrize("text", ["a: 'x", "x: 1\na: [1,\n2", "a: {b: 1"])
def test_what_is_never_closed_names_the_line_where_it_opened(text):
    (finding,) = read(text, dialect=GO_YAML)[1]
    assert str(text.count("\n", 0, text.find("[")) + 1 if "[" in text else 1) in finding.message


def test_an_unknown_problem_keeps_the_words_of_the_parser():
    assert "strange thing" in explain("strange thing", "", 3, "x")["problem"]
