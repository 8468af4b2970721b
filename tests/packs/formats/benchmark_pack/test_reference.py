import pytest

from packs.formats.benchmark_pack.reference import reference_answer


@pytest.mark.parametrize(
    ("family", "row"),
    [
        ("multiple_choice", {"input": {"choices": [1]}, "eval": {"answer": 0}}),
        ("short_answer", {"eval": {"accepted_answers": []}}),
        ("short_answer", {"eval": {"accepted_answers": [True]}}),
        ("free_response", {"eval": {"rubric": "in words"}}),
        ("code_completion", {"eval": {"reference_solution": " "}}),
        ("house_rules", {"eval": {"answer": "x"}}),
    ],
)
def test_a_row_that_states_no_usable_answer_has_none(family, row):
    assert reference_answer(family, row) is None
