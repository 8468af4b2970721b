import math

import pytest

from runs.grading.graders.mathematics import BadExpression, canonical, evaluate, parse, plain_notation


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3*4", 14),
        ("(2 + 3)*4", 20),
        ("--2", 2),
        ("2*-3", -6),
        ("8/2/2", 2),
        (".5 + 5.", 5.5),
        ("1.5e3", 1500),
        ("0^0", 1),
        ("-8^(1/3)", math.nan),
        ("10^400", math.inf),
        ("1/0", math.inf),
    ],
)
def test_arithmetic_follows_precedence_and_ends_in_infinity_or_nan(text, value):
    found = evaluate(parse(text))
    assert found == pytest.approx(value) or (math.isnan(value) and math.isnan(found))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"$$\frac{1}{\frac{2}{3}}$$", "((1)/(((2)/(3))))"),
        (r"\sqrt [3] {x}", "(((x)^(1/(3))))"),
        (r"\left(1\right)\,2", "(1)2"),
        ("√{4}", "sqrt(4)"),
        ("√x+1", "sqrt(x)+1"),
        ("a\r\nb", "a b"),
    ],
)
def test_latex_becomes_plain(text, plain):
    assert plain_notation(text) == plain


@pytest.mark.parametrize("text", [r"\frac{1}", r"\frac12", r"\boxed", r"\sqrt{1", "$ $", "1" * 20_000])
def test_broken_notation_is_refused(text):
    with pytest.raises(BadExpression):
        plain_notation(text)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("a*(b*c)", "c*b*a"),
        ("a+(b+1)+1", "2+b+a"),
        ("0*x", "0"),
        ("x^1", "x"),
        ("x^0", "1"),
        ("2^10", "1024"),
        ("x*1", "x"),
    ],
)
def test_the_same_in_symbols(left, right):
    assert canonical(parse(left)) == canonical(parse(right))


@pytest.mark.parametrize(
    ("left", "right"), [("x+x", "2*x"), ("(a+b)^2", "a^2+2*a*b+b^2"), ("2^64", "2^65"), ("0^-1", "0")]
)
def test_not_the_same_in_symbols(left, right):
    assert canonical(parse(left)) != canonical(parse(right))


@pytest.mark.parametrize(
    "text", ["", "1 2", "2x", "f(1)", "(1", "1)", "^2", "1..2", "@", "2e", "^" * 10, "2" + "^2" * 100]
)
def test_other_texts_are_no_expressions(text):
    with pytest.raises(BadExpression):
        parse(text)


def test_numbers_too_long_to_be_worked_with_have_no_canonical_form():
    with pytest.raises(BadExpression):
        canonical(parse("*".join(["9e4999"] * 1_400)))
