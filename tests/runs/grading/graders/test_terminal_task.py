import pytest

from packs.formats.task import GraderSpec, WorkspaceFile
from runs.grading.graders.terminal_task import command, denial, trouble
from tests.runs.grading.graders.grading import graded_on, outcome
from tests.runs.tasks import make_task

CONFIG = {"checker": {"command": "test -f done"}, "environment": {"image": "i", "timeout_seconds": 7}}


def planned(config, **more):
    return command(GraderSpec("v", "terminal_task", config=config, **more), make_task(), "")


def test_a_shell_line_and_a_list_of_arguments_run_as_they_are_written():
    assert planned(CONFIG).arguments[-1] == "test -f done"
    listed = {**CONFIG, "checker": {"command": ["grep", "-q", "x", "y"], "workdir": "/app"}}
    assert planned(listed).arguments[-5:] == ("/app", "grep", "-q", "x", "y")


def test_the_checker_s_time_limit_wins_over_that_of_the_environment():
    assert planned(CONFIG).seconds == 7
    assert planned({**CONFIG, "checker": {"command": "x", "timeout_seconds": 2}}).seconds == 2
    assert planned({**CONFIG, "environment": {"image": "i"}}).seconds == 300


def test_the_checker_runs_beside_its_hidden_files_where_the_agent_worked():
    files = (WorkspaceFile("securebench/evaluation_inputs/run.sh", "true"),)
    found = planned(CONFIG, files=files)
    assert (found.files, found.is_fresh) == (files, False)


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        ({}, "tester_disallow_dangerous_commands"),
        ({"disallow_dangerous_commands": False, "deny_commands": ["chroot"]}, "tester_denied_commands"),
    ],
)
def test_dangerous_commands_are_denied_unless_the_tester_allows_them(policy, reason):
    config = {**CONFIG, "needed_commands": ["chroot", " chroot "], "tester_policy": policy}
    assert planned(config) is None
    assert denial(config).raw["denial_reason"] == reason
    assert denial({**config, "tester_policy": {"disallow_dangerous_commands": False}}) is None


def test_settings_with_which_nothing_can_be_verified_are_the_author_s_mistake():
    assert trouble({**CONFIG, "checker": {}}).raw["field"] == "checker"
    assert trouble({**CONFIG, "environment": {}}).raw["field"] == "environment.image"
    late = {**CONFIG, "environment": {"image": "i", "timeout_seconds": 0}}
    assert trouble(late).raw["field"] == "environment.timeout_seconds"


def test_without_a_workspace_there_is_nothing_to_judge():
    assert outcome(graded_on("terminal_task", [], target="final_output", config=CONFIG)) == "evaluator_error"
