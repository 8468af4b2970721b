import pytest

from packs.formats.benchmark_pack.reference import reference_answer, reference_files


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


@pytest.mark.parametrize(
    ("family", "state", "files"),
    [
        ("terminal_task", {"path": "out.txt", "content": "4\n"}, {"out.txt": "4\n"}),
        ("terminal_task", {"path": "out.txt"}, {}),
        ("terminal_task", {"count": 4}, {}),
        ("terminal_task", "out.txt", {}),
        ("short_answer", {"path": "out.txt", "content": "4\n"}, {}),
    ],
)
def test_the_expected_state_of_a_terminal_task_is_its_gold_file_where_it_is_one(family, state, files):
    assert reference_files(family, {"eval": {"expected_state": state}}) == files
