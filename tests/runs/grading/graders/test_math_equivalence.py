import pytest

from tests.runs.grading.graders.grading import graded, outcome


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        ("1/2", "0.5"),
        (r"$\frac{3}{4}$", "0.75"),
        (r"\boxed{\sqrt{16}}", "4"),
        ("x + 2*y", "y*2 + x"),
        ("1 + x + 2", "3 + x"),
        ("50%", "0.5"),
        ("-2^2", "4"),
        ("2^3^2", "512"),
        ("1,200", "1200"),
        (r"\sqrt[3]{27}", "3"),
        ("√9 × 2", "6"),
        (r"a \cdot b", "b*a"),
        ("sqrt(2)*sqrt(2)", "2"),
        ("6 ÷ 3 − 1", "1"),
    ],
)
def test_equal_expressions_pass(actual, expected):
    assert outcome(graded("math_equivalence", actual, expected)) == "pass"


@pytest.mark.parametrize(("actual", "expected"), [("x + x", "2*x"), ("2", "3"), ("1/0", "1"), ("9^9^9^9", "1")])
def test_others_fail(actual, expected):
    assert outcome(graded("math_equivalence", actual, expected)) == "fail"


@pytest.mark.parametrize(
    "actual", ["", "the answer is 4", "sin(0)", "2x", "(1", "1e99999", "(" * 500 + "1", "-" * 20_000]
)
def test_what_is_no_expression_is_no_fail(actual):
    assert outcome(graded("math_equivalence", actual, "4")) == "evaluator_error"


def test_an_expected_value_that_is_no_expression_is_the_authors_mistake():
    assert outcome(graded("math_equivalence", "4", "four and")) == "pack_error"


def test_only_the_text_after_the_last_delimiter_counts():
    assert outcome(graded("math_equivalence", "#### 1 #### 7", "7", extract_answer=True)) == "pass"
    config = {"extract_answer": True, "answer_delimiter": "=>"}
    assert outcome(graded("math_equivalence", "a => 7", "7", **config)) == "pass"


def test_numbers_are_compared_only_where_that_is_asked_for():
    assert outcome(graded("math_equivalence", "sqrt(2)*sqrt(2)", "2", numeric_fallback=False)) == "fail"
    assert outcome(graded("math_equivalence", "x", "x", comparison_mode="numeric")) == "evaluator_error"
    config = {"comparison_mode": "numeric", "tolerance": 0.001}
    assert outcome(graded("math_equivalence", "3.1416", "3.14159", **config)) == "pass"


def test_a_long_sum_is_read():
    assert outcome(graded("math_equivalence", "+".join("1" * 4_000), "4000")) == "pass"


def test_a_product_of_enormous_numbers_is_judged():
    assert outcome(graded("math_equivalence", "*".join(["(99999999999^32)"] * 500), "5")) == "fail"


def test_numbers_that_grow_without_end_are_compared_as_they_are_written():
    endless = "*".join(["9e4999"] * 1_400)
    assert outcome(graded("math_equivalence", endless, "5")) == "fail"
    assert outcome(graded("math_equivalence", endless, endless, numeric_fallback=False)) == "pass"
