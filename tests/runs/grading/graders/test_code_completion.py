from packs.formats.task import GraderSpec
from runs.grading.graders.code_completion import RUNNER, SUPERVISOR, command, trouble
from tests.runs.grading.graders.grading import graded_on
from tests.runs.tasks import make_task

CONFIG = {"tests": {"source": "inline", "code": "assert f() == 1\n"}, "environment": {"image": "i"}}
SPEC = GraderSpec("v", "code_completion", "final_output", config=CONFIG)


def graded_run(**result):
    pairs = [
        ("system.output.finalized", {"final_output": "def f(): return 1"}),
        ("grader.verification.code_executed", {"validator_key": "v", "target": "final_output", **result}),
    ]
    return graded_on("code_completion", pairs, target="final_output", config=CONFIG)


def test_the_tests_never_stand_in_a_file_or_an_argument():
    found = command(SPEC, make_task(), "def f(): return 1\n\n")
    assert found.is_fresh
    assert found.files == ()
    assert "assert f()" not in " ".join(found.arguments)
    assert b'"def f(): return 1\\n"' in found.stdin


def test_nothing_is_run_where_nothing_can_be_verified():
    assert command(SPEC, make_task(), " ") is None
    assert trouble({**CONFIG, "language": "rust"}, "x").raw["field"] == "input.language"
    assert trouble({**CONFIG, "environment": {}}, "x").raw["field"] == "environment.image"
    assert trouble({**CONFIG, "tests": {"source": "files"}}, "x").raw["field"] == "tests"


def test_the_exit_code_decides():
    assert graded_run(exit_code=0).score == 1
    assert graded_run(exit_code=1).score == 0


def test_the_programs_that_are_sent_into_the_sandbox_compile():
    for program in (RUNNER, SUPERVISOR):
        compile(program, "program", "exec")
