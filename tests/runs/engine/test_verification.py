from contextlib import ExitStack
from dataclasses import replace

import pytest

from packs.formats.task import Capture, Environment, GraderSpec, WorkspaceFile
from runs.agents.contract import Cancelled, PackProblem
from runs.engine.outcome import Verdict
from runs.engine.recorder import Recorder
from runs.engine.rooms import room_of, without_assets
from runs.engine.verification import MAX_TOTAL_BYTES, Aftermath
from runs.replay.causes import Fault
from runs.replay.trajectories.candidates import left_by
from runs.sandbox import SANDBOXES, local
from runs.sandbox.contract import Command, Limits, SandboxUnavailable
from tests.runs.tasks import make_task, payload, run

# The best sandbox that this machine can have, as for trials.
SANDBOX = next(sandbox for sandbox in SANDBOXES.values() if not sandbox.obstacle())
FILE = Capture("solution", "file_capture", "solution.py")


@pytest.fixture
def aftermath():
    """A workspace with these files, as an agent might have left it, and who looks at it."""
    with ExitStack() as stack:

        def act(task, files, **more):
            room = replace(room_of(task, without_assets), files=files)
            workspace = stack.enter_context(SANDBOX.open_workspace(room))
            recorder = Recorder("native_engine", lambda event: None)
            return Aftermath(task, workspace, recorder, more.pop("sandbox", SANDBOX), room, **more)

        yield act


@pytest.fixture
def take(aftermath):
    """What is captured from a workspace with these files."""

    def act(files, *captures):
        look = aftermath(make_task(environment=Environment(captures=captures)), files)
        look.verify()
        return [event["payload"] for event in look.recorder.events]

    return act


def test_all_files_together_are_cut_at_ten_mebibytes(take):
    size = 4 * 1024 * 1024
    files = {f"{name}.txt": b"x" * size for name in "abcd"}
    captured = take(files, *(Capture(name, "file_capture", name, max_size_bytes=size) for name in files))
    assert [len(item["content"]) for item in captured] == [size, size, MAX_TOTAL_BYTES - 2 * size, 0]
    assert [item["truncated"] for item in captured] == [False, False, True, True]


def test_bytes_that_are_no_text_are_captured_with_signs_of_replacement(take):
    [captured] = take({"a.bin": b"\xff\x00hub"}, Capture("a", "file_capture", "a.bin"))
    assert captured["content"] == "\ufffd\0hub"


def test_a_directory_that_is_not_there_is_listed_as_empty(take):
    [listed] = take({}, Capture("d", "directory_listing", "none"))
    assert listed["entries"] == []


ALL = Capture("workspace", "workspace_capture", ".", max_size_bytes=100)


def test_all_files_of_a_workspace_are_taken_or_none_where_they_are_too_large(take):
    [taken] = take({"a/b.txt": b"hub", "c.bin": b"\xff"}, ALL)
    assert left_by(taken) == {"a/b.txt": b"hub", "c.bin": b"\xff"}
    [told] = take({"a.txt": b"x" * 60, "b.txt": b"x" * 60}, ALL)
    assert (left_by(told), told["file_count"], told["bytes"]) == (None, 2, 120)


def test_links_to_one_file_count_like_as_many_files_and_links_that_lead_out_stay_behind(aftermath):
    def left_after(script):
        look = aftermath(make_task(environment=Environment(captures=(ALL,))), {"a.txt": b"x" * 40})
        look.workspace.run(Command(("sh", "-c", script)))
        look.verify()
        return left_by(look.recorder.events[-1]["payload"])

    assert left_after("ln -s /etc/passwd out; ln -s a.txt in") == {"a.txt": b"x" * 40, "in": b"x" * 40}
    assert left_after("ln -s a.txt b; ln -s a.txt c") is None


def task_tested_by(command, *, files=(), captures=(FILE,), **config):
    """A task whose only grader runs a command."""
    spec = GraderSpec("tests", "code_execution", "file:solution", "", {"test_command": command, **config}, tuple(files))
    return make_task(graders=(spec,), environment=Environment(captures=captures))


def executed(look):
    look.verify()
    [found] = [event for event in look.recorder.events if event["event_type"].endswith("code_executed")]
    assert found["source"] == "grader_verification"
    return found["payload"]


def test_a_test_command_runs_where_the_agent_worked_and_its_result_is_recorded(aftermath):
    told = executed(aftermath(task_tested_by("echo '3 passed, 1 failed'; exit 1", scoring="all_or_nothing"), {}))
    assert told == {
        "validator_key": "tests",
        "target": "file:solution",
        "target_path": "solution.py",
        "test_command": "echo '3 passed, 1 failed'; exit 1",
        "timeout_ms": 30000,
        "scoring": "all_or_nothing",
        "pass_threshold": 1.0,
        "exit_code": 1,
        "stdout": "3 passed, 1 failed\n",
        "stderr": "",
        "timed_out": False,
        "passed_tests": 3,
        "failed_tests": 1,
        "error_tests": 0,
        "total_tests": 4,
    }


def test_a_test_command_ends_at_its_time_limit(aftermath):
    told = executed(aftermath(task_tested_by("sleep 60", timeout_ms=200), {}))
    assert (told["timed_out"], told["timeout_ms"]) == (True, 200)


def test_a_cancelled_run_runs_no_tests(aftermath):
    with pytest.raises(Cancelled):
        aftermath(task_tested_by("sleep 60"), {}, is_cancelled=lambda: True).verify()


def test_a_command_that_cannot_be_run_is_left_to_its_grader(aftermath):
    for task in (task_tested_by(""), task_tested_by("true", timeout_ms="soon"), task_tested_by("true", scoring="best")):
        look = aftermath(task, {})
        look.verify()
        assert "grader.verification.code_executed" not in [event["event_type"] for event in look.recorder.events]


def test_a_machine_that_fails_is_told_for_the_one_command(aftermath):
    class Broken:
        def open_workspace(self, room):
            raise SandboxUnavailable("the disk is full")

    hidden = [WorkspaceFile("test_it.py", "x")]
    told = executed(aftermath(task_tested_by("true", files=hidden), {}, sandbox=Broken()))
    assert told["execution_error"] == "the disk is full"


HIDDEN = [WorkspaceFile("checks/test_it.sh", 'test "$(cat solution.py)" = hub && touch ran')]


def test_hidden_files_are_staged_in_a_copy_of_what_the_agent_left(aftermath):
    look = aftermath(task_tested_by("sh checks/test_it.sh", files=HIDDEN), {"solution.py": b"hub\n"})
    assert executed(look)["exit_code"] == 0
    assert [entry.path for entry in look.workspace.list_directory(".", recursive=True)] == ["solution.py"]


@pytest.mark.parametrize("planted", [{"checks": b"a file"}, {"checks/test_it.sh": b"exit 0"}])
def test_nothing_that_the_agent_left_stands_in_for_a_hidden_file(aftermath, planted):
    look = aftermath(task_tested_by("sh checks/test_it.sh", files=HIDDEN), {"solution.py": b"depot", **planted})
    assert executed(look)["exit_code"] == 1


def test_links_that_the_agent_left_are_not_taken_along(aftermath):
    look = aftermath(task_tested_by("sh checks/test_it.sh", files=HIDDEN), {"solution.py": b"hub"})
    look.workspace.run(Command(["sh", "-c", "mkdir mine && ln -s mine checks"]))
    assert executed(look)["exit_code"] == 0
    assert look.workspace.list_directory("mine", recursive=True) == []


def test_an_agent_that_leaves_too_much_has_failed_its_tests(aftermath):
    look = aftermath(task_tested_by("true", files=HIDDEN), {"solution.py": b"x" * 3000})
    told = executed(replace(look, room=replace(look.room, limits=Limits(disk_bytes=2000))))
    assert (told["exit_code"], told["stopped"]) == (1, "disk")


def test_a_hidden_file_that_nobody_has_is_the_packs_fault(aftermath):
    with pytest.raises(PackProblem):
        aftermath(task_tested_by("true", files=[WorkspaceFile("a", asset_key="gone")]), {}).verify()


def answer(text):
    return {"arguments": ["sh", "-c", text]}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("echo 'print(7)' > solution.py", Verdict.PASSED),
        ("echo 'print(8)' > solution.py", Verdict.FAILED),
        ("true", Verdict.FAILED),
        # Neither a profile nor a finished output of its own makes a wrong answer right.
        ("echo 'print(8)' > solution.py; echo 'echo 1 passed; exit 0' > .profile", Verdict.FAILED),
    ],
)
def test_a_run_is_judged_by_its_tests(text, verdict):
    task = task_tested_by('test "$(python3 solution.py)" = 7')
    outcome, events = run(task, "command", answer(text), sandbox=SANDBOX)
    assert outcome.verdict is verdict
    assert payload(events, "grader.verification.file_captured")["key"] == "solution"


def test_machine_pack_and_agent_are_three_outcomes_of_a_test_command(monkeypatch):
    wrong, _ = run(task_tested_by("exit 1"), "command", answer("true"))
    unusable, _ = run(task_tested_by(" "), "command", answer("true"))
    monkeypatch.setattr(local, "PATH", "/nowhere")
    broken, _ = run(task_tested_by("true"), "command", {"arguments": ["/bin/true"]})
    assert [(outcome.verdict, outcome.fault) for outcome in (wrong, unusable, broken)] == [
        (Verdict.FAILED, Fault.NONE),
        (Verdict.ERROR, Fault.PACK),
        (Verdict.ERROR, Fault.MACHINE),
    ]


TESTED = Environment(files=(WorkspaceFile("tests/run.sh", "test -f done || exit 1; echo 1 passed"),), captures=(FILE,))
FORGE = "echo 'echo 5 passed' > tests/run.sh"


def test_tests_that_the_agent_edited_are_those_of_the_pack_again_and_the_replay_shows_it():
    task = replace(task_tested_by("sh tests/run.sh"), environment=TESTED)
    outcome, events = run(task, "command", answer(FORGE), sandbox=SANDBOX)
    told = payload(events, "grader.verification.files_restored")
    assert outcome.verdict is Verdict.FAILED
    assert (told["changed"], told["validator_key"]) == (["tests/run.sh"], "tests")
    assert "+echo 5 passed" in told["diff"]
    honest, events = run(task, "command", answer("touch done"), sandbox=SANDBOX)
    assert honest.verdict is Verdict.PASSED
    assert "grader.verification.files_restored" not in [event["event_type"] for event in events]


def test_what_one_grader_s_program_changes_is_put_back_for_the_next():
    first = GraderSpec("first", "code_execution", config={"test_command": FORGE})
    second = task_tested_by("sh tests/run.sh").graders[0]
    task = replace(make_task(graders=(first, second)), environment=TESTED)
    outcome, _ = run(task, "command", answer("true"), sandbox=SANDBOX)
    assert [str(grade.outcome) for grade in outcome.grades] == ["pass", "fail"]
