import pytest

from packs.formats.task import GraderSpec
from runs.grading.graders.repo_patch import command, judge, phase_of, refusal, trouble
from tests.runs.grading.graders.grading import graded
from tests.runs.tasks import make_task

PATCH = "diff --git a/src/x b/src/x\n--- a/src/x\n+++ b/src/x\n@@ -1 +1 @@\n-a\n+b"
TESTS = {"source": "command", "command": "make check", "setup_patch": "é", "test_patch": {"patch": "t\n"}}
CONFIG = {"tests": TESTS, "environment": {"image": "i", "workdir": "/w"}, "base_commit": "abc"}


def test_patches_go_in_whole_and_in_their_order():
    found = command(GraderSpec("v", "repo_patch", config=CONFIG), make_task(), PATCH)
    assert found.stdin == f"é\n{PATCH}\nt\n".encode()
    assert found.arguments[4:7] == ("3", str(len(PATCH) + 1), "2")
    assert found.arguments[-1] == "make check"
    assert (found.is_fresh, found.seconds) == (True, 300)


def test_an_empty_patch_and_one_against_the_policy_are_never_applied():
    spec = GraderSpec("v", "repo_patch", config=CONFIG)
    assert command(spec, make_task(), "\n") is None
    assert command(spec, make_task(), PATCH.replace("src", "tests")) is None
    assert refusal(CONFIG, PATCH.replace("src", "tests")).raw["denied_candidate_patch_paths"] == ["tests/x"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"tests": {}}, "tests"),
        ({"environment": {"workdir": "/w"}}, "environment.image"),
        ({"environment": {"image": "i"}}, "environment.workdir"),
        ({"tests": {**TESTS, "timeout_seconds": 0}}, "tests.timeout_seconds"),
    ],
)
def test_settings_with_which_nothing_can_be_verified_are_the_author_s_mistake(change, field):
    assert trouble({**CONFIG, **change}).raw["field"] == field
    assert graded("repo_patch", PATCH, **{**CONFIG, **change}).raw["error_type"] == "ConfigError"


def test_the_phase_is_the_last_that_the_script_said_and_checks_cannot_take_it_back():
    told = "packwright-phase base_commit\nabc\npackwright-phase candidate_patch\nerror: no\n"
    assert phase_of(told) == "candidate_patch"
    assert phase_of(f"{told}packwright-phase checks\npackwright-phase setup_patch\n") == "checks"
    assert phase_of("only the end of a long output") == "checks"


def test_without_a_repository_nothing_is_said_of_the_agent():
    found = judge({"exit_code": 1, "stderr": "packwright-phase base_commit\nfatal: not a git repository\n"})
    assert (found.state, found.score) == ("unavailable", None)
