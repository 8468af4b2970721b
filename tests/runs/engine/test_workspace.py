"""Workspaces with hooks, in whole trials."""

import json
import subprocess
from dataclasses import replace

import pytest

from runs.engine.outcome import Verdict
from runs.engine.workspace import Site, upkeep
from runs.engine.workspace.site import SetupFailed
from runs.sandbox import SANDBOXES
from tests.runs.tasks import payload, run, types
from tests.runs.workspaces import CASE, CONFINED, hook, of, start, task_of, tell


@pytest.mark.parametrize("point", ["before_each", "before_all"])
def test_a_hook_is_told_of_its_case(point):
    outcome, events = start(task_of(tell(point)), "print(open('told.json').read(), 'hub')", site=Site("run-7"))
    told = json.loads(outcome.final_output.removesuffix(" hub"))
    assert told == {
        "workspace_path": told["workspace_path"],
        "test_id": "PX-1",
        "eval_run_id": "run-7",
        "case_input": "Where is it?",
        "case_metadata": {"sourceRow": 7},
    }
    assert payload(events, "workspace.hook.completed")["input"] == told


@pytest.mark.parametrize("point", ["before_all", "after_all"])
def test_under_shared_isolation_suite_wide_hooks_are_told_of_no_case(point):
    _, events = start(task_of(tell(point), isolation="shared"))
    told = payload(events, "workspace.hook.completed")["input"]
    assert (told["test_id"], told["case_input"], told["case_metadata"]) == (f"__{point}__", None, None)


def test_the_last_hook_of_a_suite_is_not_run_per_test():
    assert "workspace.hook.completed" not in types(start(task_of(tell("after_all")))[1])


def test_a_hook_starts_in_its_folder_of_the_pack_and_what_it_writes_is_in_the_replay():
    _, events = start(task_of(hook("before_each", "sh", "-c", "cat a.txt; echo warned >&2")))
    told = payload(events, "workspace.hook.completed")
    assert (told["stdout"], told["stderr"], told["exit_code"]) == ("in the pack", "warned\n", 0)


def test_placeholders_of_arguments_are_filled_in():
    shown = hook("before_each", "echo", "{{test_id}}", "{{ case_metadata }}", "{{eval_run_id}}", "{{other}}")
    _, events = start(task_of(shown), site=Site("run-7"))
    assert payload(events, "workspace.hook.completed")["stdout"] == 'PX-1 {"sourceRow":7} run-7 {{other}}\n'


MISBEHAVING = {
    "fails": "raise SystemExit('boom')",
    "hangs": "while True: pass",
    "floods": "print('x' * 2_000_000)",
    "forks": "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(60)",
    "writes outside": "open('/etc/passwd', 'w')",
    "writes into the pack": "open('a.txt', 'w')",
    "deletes its workspace": "import shutil, sys; shutil.rmtree(sys.argv[1])",
}


@pytest.mark.skipif(bool(CONFINED.obstacle()), reason=CONFINED.obstacle() or "confined")
@pytest.mark.parametrize("code", MISBEHAVING.values(), ids=MISBEHAVING)
def test_a_hook_that_misbehaves_ends_its_trial_with_an_error_of_the_pack(code):
    broken = hook("before_each", "python3", "-c", code, "{{workspace_path}}", timeout_seconds=1.5)
    outcome, events = start(task_of(broken, files={"main.txt": "x"}), sandbox=CONFINED)
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "pack")
    assert payload(events, "system.run.failed")["failure_reason_code"] == "script_error"
    assert payload(events, "workspace.hook.failed")["error"] in outcome.error
    assert "sandbox.command.started" not in types(events)
    # The next trial is none the worse.
    assert start(task_of(tell("before_each")), sandbox=CONFINED)[0].verdict is Verdict.PASSED


@pytest.mark.parametrize("sandbox", ["local", "bubblewrap", "landlock"])
def test_a_hook_that_ends_without_reading_a_long_input_is_an_error_and_a_short_one_shows_nothing(sandbox):
    kind = SANDBOXES[sandbox]
    if kind.obstacle():
        pytest.skip(kind.obstacle())
    short = task_of(hook("before_each", "true"))
    assert start(short, sandbox=kind)[0].verdict is Verdict.PASSED
    outcome, events = start(replace(short, hidden={**CASE, "case_input": "x" * 1_000_000}), sandbox=kind)
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "pack")
    assert payload(events, "workspace.hook.failed")["exit_code"] == 0


def test_a_hook_whose_program_is_missing_says_so():
    outcome, events = start(task_of(hook("before_all", "no-such-program")))
    assert outcome.verdict is Verdict.ERROR
    assert "workspace.hook.failed" in types(events)


def test_python_is_python3_where_there_is_no_other():
    assert start(task_of(hook("before_each", "python", "-c", "print(1)")))[0].verdict is Verdict.PASSED


def test_the_folder_of_a_suite_is_there_although_no_other_file_lies_in_it():
    task = task_of(hook("before_each", "pwd"))
    bare = replace(task, environment=replace(task.environment, material=()))
    assert payload(start(bare)[1], "workspace.hook.completed")["stdout"].endswith("/pack/evals\n")


def test_a_hook_after_the_agent_that_fails_is_only_told():
    outcome, events = start(task_of(hook("after_each", "false")))
    assert outcome.verdict is Verdict.PASSED
    assert payload(events, "workspace.hook.failed")["exit_code"] == 1


def test_what_the_agent_changed_is_a_diff_and_what_hooks_did_is_not_in_it():
    prepare = hook("before_each", "sh", "-c", 'echo prepared > "$0/prepared.txt"', "{{workspace_path}}")
    files = {"kept.txt": "same\n", "changed.txt": "one\ntwo", "removed.txt": "gone\n", "binary": "\0"}
    code = (
        "import os; os.remove('removed.txt'); open('changed.txt', 'w').write('one\\n2\\n');"
        "open('new.txt', 'w').write('new\\n'); open('binary', 'wb').write(b'\\0\\1'); print('hub')"
    )
    _, events = start(task_of(prepare, files=files), code)
    told = payload(events, "workspace.changed")
    assert (told["added"], told["changed"], told["removed"]) == (
        ["new.txt"],
        ["binary", "changed.txt"],
        ["removed.txt"],
    )
    assert told["diff"].splitlines() == [
        "diff --git a/binary b/binary",
        "Binary files a/binary and b/binary differ",
        "diff --git a/changed.txt b/changed.txt",
        "--- a/changed.txt",
        "+++ b/changed.txt",
        "@@ -1,2 +1,2 @@",
        " one",
        "-two",
        "\\ No newline at end of file",
        "+2",
        "diff --git a/new.txt b/new.txt",
        "new file mode 100644",
        "--- /dev/null",
        "+++ b/new.txt",
        "@@ -0,0 +1 @@",
        "+new",
        "diff --git a/removed.txt b/removed.txt",
        "deleted file mode 100644",
        "--- a/removed.txt",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-gone",
    ]


def test_the_diff_is_one_that_git_applies(tmp_path):
    files = {"a.txt": "one\ntwo\nthree", "b/c.txt": "x\n"}
    code = "open('a.txt', 'w').write('one\\n2\\nthree\\n'); open('d.txt', 'w').write('no newline'); print('hub')"
    _, events = start(task_of(files=files), code)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    diff = payload(events, "workspace.changed")["diff"]
    subprocess.run(["git", "apply", "-"], input=diff, text=True, cwd=tmp_path, check=True)
    assert (tmp_path / "a.txt").read_text() == "one\n2\nthree\n"
    assert (tmp_path / "d.txt").read_text() == "no newline"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"required_commands": ("no-such-program",)}, "preflight_error"),
        ({"required_python_modules": ("no_such_module",)}, "preflight_error"),
        ({"mode": "static", "path": "/srv"}, "setup_error"),
    ],
)
def test_what_the_workspace_cannot_be_is_said_before_the_agent_starts(more, reason):
    outcome, events = start(task_of(**more))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "pack")
    assert payload(events, "system.run.failed")["failure_reason_code"] == reason


# Looking for a module of it runs it, which takes longer than anybody waits here.
SLOW = {"files": {"slow/__init__.py": "import time; time.sleep(20)"}, "required_python_modules": ("slow.part",)}


def test_a_run_that_is_cancelled_while_needs_are_looked_for_is_no_error():
    outcome, _ = start(task_of(**SLOW), is_cancelled=lambda: True)
    assert (outcome.verdict, outcome.fault) == (Verdict.CANCELLED, "")


def test_a_need_that_cannot_be_looked_for_in_time_is_not_called_missing(monkeypatch):
    monkeypatch.setattr(upkeep, "CHECK_SECONDS", 0.4)
    outcome, events = start(task_of(**SLOW))
    assert payload(events, "system.run.failed")["failure_reason_code"] == "preflight_error"
    assert "0.4" in outcome.error


def test_what_the_workspace_needs_and_has_is_no_trouble():
    assert start(task_of(required_commands=("sh",), required_python_modules=("json",)))[0].verdict is Verdict.PASSED


def test_hooks_run_for_agents_that_do_not_work_on_files():
    outcome, events = run(task_of(tell("before_each")), "reference")
    assert outcome.verdict is Verdict.PASSED
    assert "workspace.hook.completed" in types(events)


def test_what_is_done_before_and_after_the_agent_is_not_its_time():
    _, events = start(task_of(hook("before_each", "sleep", "0.4"), hook("after_each", "sleep", "0.3")))
    times = {event["event_type"]: event["occurred_at"] for event in events}
    passed = (times["system.run.completed"] - times["system.run.started"]).total_seconds() * 1000
    assert 0 < payload(events, "system.run.completed")["latency_ms"] <= passed - 700


def test_a_failed_setup_is_the_packs():
    assert SetupFailed("no", "script_error").facts == {"failure_stage": "setup", "failure_reason_code": "script_error"}


def test_hooks_of_an_agent_run_only_in_its_trials_and_are_told_as_its_own():
    own = hook("before_each", "sh", "-c", "cat > own.txt", agent="with-skills")
    whole = hook("before_all", "true", agent="with-skills")
    task = task_of(hook("before_each", "true"), own, whole, isolation="shared")
    _, events = start(task, name="with-skills")
    told = of(events, "workspace.hook.completed")
    assert [(each["hook"], each.get("agent_name")) for each in told] == [
        ("before_all", "with-skills"),
        ("before_each", None),
        ("before_each", "with-skills"),
    ]
    assert [each["input"]["test_id"] for each in told] == ["__target_before_all__", "PX-1", "PX-1"]
    _, events = start(task, name="plain")
    assert [each.get("agent_name") for each in of(events, "workspace.hook.completed")] == [None]


def test_a_hook_of_an_agent_that_fails_before_it_ends_the_trial_with_its_name():
    outcome, events = start(task_of(hook("before_each", "false", agent="with-skills")), name="with-skills")
    assert outcome.verdict is Verdict.ERROR
    assert payload(events, "workspace.hook.failed")["agent_name"] == "with-skills"
    assert "with-skills" in outcome.error
