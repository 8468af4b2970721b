import json

import pytest

from runs.agents.tools.commands import MAX_SHOWN, shortened


def test_a_program_runs_in_the_workspace_with_its_variables(shop):
    done = shop({"src/in.txt": "hub"}).value(
        "exec",
        command=["sh", "-c", 'cat in.txt; printf " $WORD"'],
        working_directory="/workspace/src",
        environment={"WORD": "seven"},
    )
    assert (done["exit_code"], done["stdout"]) == (0, "hub seven")


def test_a_program_that_fails_fails_the_call_once(shop):
    tools = shop()
    result = tools.call("exec", {"command": ["sh", "-c", "echo no >&2; exit 3"]})
    assert result.is_error
    assert '"exit_code":3' in result.text
    assert [kind for kind, _ in tools.events] == [
        "tool.call.started",
        "sandbox.command.started",
        "sandbox.command.completed",
        "tool.call.failed",
    ]


def test_a_program_that_cannot_be_started_is_told(shop):
    tools = shop()
    tools.error("exec", command=["/no/such/program"])
    assert "sandbox.command.failed" in [kind for kind, _ in tools.events]


def test_a_program_is_stopped_at_the_time_that_is_left(shop):
    tools = shop()
    result = tools.call("exec", {"command": ["sh", "-c", "echo begun; sleep 600"]}, seconds=4)
    assert result.is_error
    assert json.loads(result.text)["stdout"] == "begun\n"
    [stopped] = [payload for kind, payload in tools.events if kind == "sandbox.command.failed"]
    assert stopped["timed_out"] is True


def test_a_cancelled_run_stops_its_program(shop):
    assert shop().call("exec", {"command": ["sleep", "60"]}, is_cancelled=lambda: True).is_error


def test_no_program_starts_when_the_time_is_over(shop):
    tools = shop()
    assert tools.call("exec", {"command": ["true"]}, seconds=0).is_error
    assert "sandbox.command.started" not in [kind for kind, _ in tools.events]


def test_the_files_of_a_project_say_how_it_is_tested_and_built(shop):
    project = {"Makefile": "all:\n\t@echo built\ntest:\n\t@echo 2 passed\n"}
    tools = shop(project)
    assert tools.value("run_tests")["stdout"] == "2 passed\n"
    assert tools.value("build")["command"] == ["make"]
    assert tools.value("build", command="echo own | cat")["stdout"] == "own\n"


def test_a_project_that_does_not_say_is_refused(shop):
    shop({"notes.txt": "x"}).error("run_tests")


@pytest.mark.parametrize(("size", "is_cut"), [(MAX_SHOWN, False), (MAX_SHOWN + 1, True)])
def test_long_outputs_keep_their_beginning_and_their_end(size, is_cut):
    shown = shortened(b"a" + b"x" * (size - 2) + b"z")
    assert (shown[0], shown[-1], "left out" in shown) == ("a", "z", is_cut)
