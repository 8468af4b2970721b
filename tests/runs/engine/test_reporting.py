import pytest

from runs.engine.reporting import run_reported
from runs.grading.graders.commands import GraderCommand
from runs.grading.graders.pytest_reports import VARIABLE
from runs.sandbox import local
from runs.sandbox.contract import Command, Room

REPORT = (
    '<testsuites><testsuite><testcase file="tests/a.py" classname="tests.a" name="test_x"/></testsuite></testsuites>'
)


@pytest.fixture
def reported():
    """The reports of a grader's command whose texts are these; what it runs is a shell's line."""
    with local.open_workspace(Room()) as workspace:

        def act(line, *texts, tests=()):
            command = GraderCommand("it", ("sh", "-c", line), 60.0, texts=texts, tests=tests)
            _, told = run_reported(workspace, command, Command(command.arguments))
            assert workspace.list_directory(".", recursive=True) == []
            return told

        yield act


def test_reports_are_taken_out_of_the_workspace_one_for_each_command(reported):
    told = reported(f"echo '{REPORT}' > ${VARIABLE}.1", "sh run.sh", "pytest -q", tests=("test_x",))
    counts = {"passed": 1, "failed": 0, "error": 0, "skipped": 0, "tests": [["tests/a.py::test_x", "passed"]]}
    assert told == {"reports": [{"awaited": False, "written": False}, {"awaited": True, "written": True, **counts}]}


def test_only_tests_that_a_grader_names_are_kept(reported):
    assert reported(f"echo '{REPORT}' > ${VARIABLE}.0", "pytest -q")["reports"][0]["tests"] == []


def test_of_commands_without_pytest_nothing_is_told(reported):
    assert reported("true", "sh run.sh") == {}


@pytest.mark.parametrize("line", ["ln -s /etc/passwd", "mkfifo", "mkdir"])
def test_what_is_no_file_is_no_report(reported, line):
    assert reported(f"{line} ${VARIABLE}.0", "pytest")["reports"] == [{"awaited": True, "written": False}]
