import pytest

from packs.formats.task_suite.reference import answers_of, files_of


@pytest.mark.parametrize(
    ("solution", "files", "answers"),
    [
        ({"final_message": "Done.", "files": {"a.sh": "echo", "b": 5}}, {"a.sh": "echo"}, ["Done."]),
        ({"files": ["a.sh"]}, {}, []),
        ("Lisbon", {}, ["Lisbon"]),
        (None, {}, []),
    ],
)
def test_a_reference_solution_is_a_text_or_a_message_with_files(solution, files, answers):
    document = {"reference_solution": solution}
    assert files_of(document) == files
    assert [answer.text for answer in answers_of(document)] == answers
