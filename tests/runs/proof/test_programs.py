"""Programs with one operator or return changed."""

import ast

import pytest

from runs.proof.programs import changed_operators, returns_taken_out

BOUNDED = """def first(text, most):
    # a - b stands here
    while most > 0:
        most = most - 1
    return [n for n in range(most + 1) if n % 2 == 0]
"""


def test_each_operator_is_changed_in_its_place_and_loops_that_may_not_end_are_left_alone():
    found = [text for _, text in changed_operators(BOUNDED)]
    changed = [
        line for text in found for line, old in zip(text.split("\n"), BOUNDED.split("\n"), strict=True) if line != old
    ]
    assert changed == [
        "    return [n for n in range(most - 1) if n % 2 == 0]",
        "    return [n for n in range(most * 1) if n % 2 == 0]",
        "    return [n for n in range(most + 1) if n % 2 != 0]",
        "    return [n for n in range(most + 1) if n * 2 == 0]",
    ]


@pytest.mark.parametrize(
    "text", ["    return a + b\n", "x = 'é' + y\n", "total += (a) + (\n    b)\n", "if 1 < n <= 9:\n    pass\n"]
)
def test_what_comes_out_can_be_read(text):
    found = [other for _, other in changed_operators(text)]
    assert found
    for other in found:
        ast.parse(f"def _():\n{other}" if text.startswith(" ") else other)
        assert other != text


@pytest.mark.parametrize("text", ["", "not a program", "function f() { return a + b; }", "def f(:"])
def test_other_texts_have_none(text):
    assert list(changed_operators(text)) == []


CLAMPED = """\
def clamp(é, most):
    if é > most:
        return (
            most)
    if not é:
        return None
    return é
"""


@pytest.mark.parametrize(("before", "line"), [("", 3), ("\n", 4)])
def test_each_return_with_a_value_is_taken_out_in_its_place_where_there_are_several(before, line):
    found = dict(returns_taken_out(before + CLAMPED))
    assert found == {
        f"a program that returns nothing in line {line + 1}": before
        + CLAMPED.replace("(\n            most)", "(\n            None)"),
        f"a program that returns nothing in line {line + 4}": before + CLAMPED.replace("return é", "return None"),
    }


def test_the_body_of_a_function_alone_has_its_own_lines():
    body = "    if a:\n        return 1\n    return 2\n"
    assert list(dict(returns_taken_out(body))) == [f"a program that returns nothing in line {line}" for line in (3, 2)]


@pytest.mark.parametrize("text", ["return 1 +", "def one():\n    return 1\n", "words alone"])
def test_one_return_or_none_is_left_alone(text):
    assert list(returns_taken_out(text)) == []
