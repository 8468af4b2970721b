"""Work that only looks done."""

from runs.proof.forged import RESULT, forged, report_of
from tests.runs.proof.makers import ADD, ADDED, compiled, evals, program, rows, task_of, tasks

FIXTURE = {
    "evals/_shared/fixtures/f/fix.sh": b"echo 4\n",
    "evals/_shared/fixtures/f/check.sh": b'test "$(sh fix.sh)" = 5\n',
}
COMMANDS = {"type": "deterministic_tests", "commands": ["sh check.sh"], "fail_to_pass": ["test_five"]}


def works(task, *paths):
    return {probe.name: probe.work for probe in forged(task, paths)}


def test_nothing_is_forged_where_no_program_judges():
    assert works(task_of("one")) == {}


def test_an_answer_prints_what_runners_and_graders_print():
    _, [task] = compiled(rows(program(ADDED, ADD)))
    texts = [work.text for work in works(task).values()]
    assert any("17 passed" in text for text in texts)
    _, [judged] = compiled(evals([{"type": "code-grader", "command": ["python3", "g.py"]}], ("How many?", "7")))
    assert [work.text for work in works(judged).values()] == [report_of(judged), RESULT]


def test_files_of_the_work_forge_the_tests_that_graders_name():
    _, [task] = compiled(tasks([COMMANDS], "Done.", files=FIXTURE, repo_path="../_shared/fixtures/f"))
    found = works(task, "fix.sh", "out.log")
    assert "PASSED tests::test_five" in found["files that say that all tests passed"].files["out.log"]
    assert list(found["programs that print that all tests passed"].files) == ["fix.sh"]
    assert list(found["tests that were emptied"].files) == ["check.sh"]
