"""Workspaces with repositories and hooks, in whole trials."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from packs.formats.task import Environment, Hook, Repository, WorkspaceFile, WorkspacePlan
from runs.engine import Verdict
from runs.engine.workspace import Site
from runs.engine.workspace.site import SetupFailed
from runs.sandbox import SANDBOXES
from tests.runs.tasks import make_task, payload, run, types

CONFINED = SANDBOXES["bubblewrap"]
TELL = "import sys, pathlib; pathlib.Path(sys.argv[1], 'told.json').write_text(sys.stdin.read())"
CASE = {"id": "PX-1", "case_input": "Where is it?", "metadata": {"sourceRow": 7}, "folder": "evals"}


def hook(point, *command, **more):
    return Hook(point, command, "evals", **more)


def tell(point, **more):
    """A hook that writes what it is told into the workspace."""
    return hook(point, "python3", "-c", TELL, "{{workspace_path}}", **more)


def task_of(*hooks, files=None, repositories=(), material=None, isolation="per_test", **more):
    """A task with this plan; its pack holds the material."""
    plan = WorkspacePlan(isolation=isolation, hooks=hooks, repositories=tuple(repositories), **more)
    lent = tuple(WorkspaceFile(path, text) for path, text in {"evals/a.txt": "in the pack", **(material or {})}.items())
    given = tuple(WorkspaceFile(path, text) for path, text in (files or {}).items())
    environment = Environment(files=given, workspace=plan, material=lent)
    return replace(make_task(environment=environment), hidden=CASE)


def agent(code="print('hub')"):
    return {"arguments": ["python3", "-c", code]}


def start(task, code="print('hub')", sandbox=SANDBOXES["local"], **more):
    return run(task, "command", agent(code), sandbox=sandbox, **more)


def of(events, event_type):
    return [event["payload"] for event in events if event["event_type"] == event_type]


def git(folder, *arguments):
    identity = ("-c", "user.name=t", "-c", "user.email=t@localhost")
    done = subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    """A repository of three commits on a branch, with a tag on the second; gives its folder and the commits."""
    folder = tmp_path / "sources" / "widget"
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    commits = []
    for number in range(3):
        (folder / "widget.txt").write_text(f"{number}\n")
        (folder / "docs").mkdir(exist_ok=True)
        (folder / "docs" / "page.txt").write_text(f"{number}\n")
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "-m", f"commit {number}")
        commits.append(git(folder, "rev-parse", "HEAD"))
    git(folder, "tag", "-a", "v1", "-m", "one", commits[1])
    return folder, commits


def placed(repository, **more):
    folder, _ = repository
    return Repository("./repo", "local", str(folder), **{"resolve": "local", **more})


def site(repository):
    return Site("run-7", (str(repository[0].parent),))


READ = "print(open('repo/widget.txt').read().strip(), 'hub')"


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
    spoilt = hook("before_each", "python3", "-c", code, "{{workspace_path}}", timeout_seconds=1.5)
    outcome, events = start(task_of(spoilt, files={"main.txt": "x"}), sandbox=CONFINED)
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "pack")
    assert payload(events, "system.run.failed")["failure_reason_code"] == "script_error"
    assert payload(events, "workspace.hook.failed")["error"] in outcome.error
    assert "sandbox.command.started" not in types(events)
    # The next trial is none the worse.
    assert start(task_of(tell("before_each")), sandbox=CONFINED)[0].verdict is Verdict.PASSED


def test_a_hook_that_does_not_read_what_it_is_told_is_no_trouble():
    long = replace(task_of(hook("before_each", "true")), hidden={**CASE, "case_input": "x" * 1_000_000})
    assert start(long)[0].verdict is Verdict.PASSED


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
    ("more", "number"),
    [
        ({}, 2),
        ({"ref": "v1", "resolve": "remote"}, 1),
        ({"ref": "main", "resolve": "remote"}, 2),
        ({"ancestor": 2}, 0),
        ({"ref": "v1", "ancestor": 1}, 0),
        ({"depth": 2, "ancestor": 1}, 1),
    ],
)
def test_a_repository_is_checked_out_as_the_task_says(repository, more, number):
    task = task_of(repositories=[placed(repository, **more)])
    outcome, events = start(task, READ, site=site(repository))
    assert outcome.final_output == f"{number} hub", outcome.error
    assert payload(events, "workspace.repository.placed")["commit"] == repository[1][number]


def test_a_full_commit_id_is_found_in_the_clone_whatever_is_stated(repository):
    task = task_of(repositories=[placed(repository, ref=repository[1][0], resolve="remote")])
    assert start(task, READ, site=site(repository))[0].final_output == "0 hub"


def test_only_the_named_folders_of_a_repository_are_checked_out(repository):
    (repository[0] / "other").mkdir()
    (repository[0] / "other" / "x.txt").write_text("x")
    git(repository[0], "add", ".")
    git(repository[0], "commit", "-m", "more")
    task = task_of(repositories=[placed(repository, sparse=("docs",))])
    outcome, _ = start(task, "import os; print(sorted(os.listdir('repo')), 'hub')", site=site(repository))
    assert outcome.final_output == "['.git', 'docs', 'widget.txt'] hub"


@pytest.mark.skipif(bool(CONFINED.obstacle()), reason=CONFINED.obstacle() or "confined")
def test_a_confined_trial_clones_too_and_its_agent_cannot_read_the_source(repository):
    code = f"import os; print(os.path.exists({str(repository[0])!r}), open('repo/widget.txt').read(), 'hub')"
    task = task_of(repositories=[placed(repository, depth=1)])
    outcome, _ = start(task, code, sandbox=CONFINED, site=site(repository))
    assert outcome.final_output == "False 2\n hub", outcome.error


def test_a_folder_of_the_pack_becomes_a_repository():
    material = {"evals/widget/src/a.txt": "a\n", "evals/widget/b.txt": "b\n"}
    task = task_of(repositories=[Repository("repo", "local", "./widget")], material=material)
    code = "import subprocess; print(subprocess.getoutput('git -C repo log --format=%s; git -C repo status -s'), 'hub')"
    outcome, _ = start(task, code)
    assert outcome.final_output == "As in the pack hub", outcome.error


def test_a_bare_repository_of_the_pack_is_cloned(repository, tmp_path):
    bare = tmp_path / "bare"
    git(tmp_path, "clone", "--quiet", "--bare", str(repository[0]), str(bare))
    files = [path for path in bare.rglob("*") if path.is_file() and "hooks" not in path.parts]
    task = task_of(repositories=[Repository("repo", "local", "../widget.git")])
    lent = tuple(WorkspaceFile(f"widget.git/{path.relative_to(bare)}", asset_key=str(path)) for path in files)
    task = replace(task, environment=replace(task.environment, material=lent + task.environment.material))

    def read_asset(file):
        return Path(file.asset_key).read_bytes() if file.asset_key else None

    assert start(task, READ, read_asset=read_asset)[0].final_output == "2 hub"


@pytest.mark.parametrize(
    "stated",
    [
        Repository("repo", "local", "/etc"),
        Repository("repo", "local", "/etc/../etc"),
        Repository("repo", "local", "../../etc"),
        Repository("repo", "git", "https://example.org/widget.git"),
        Repository("repo", "git", "org/widget"),
        Repository("repo", "git", "--upload-pack=touch x"),
        Repository("repo", "git", "ext::sh -c true"),
        Repository("../repo", "local", "./widget"),
        Repository("/repo", "local", "./widget"),
    ],
    ids=lambda stated: f"{stated.path} from {stated.location}",
)
def test_nothing_is_taken_from_where_nobody_allows(stated):
    task = task_of(repositories=[stated], material={"evals/widget/a.txt": "a"})
    outcome, events = start(task, site=Site(sources=("https://example.com/", "/srv/repositories")))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "pack")
    assert payload(events, "system.run.failed")["failure_reason_code"] == "clone_error"


@pytest.mark.parametrize("more", [{"ref": "no-such-branch"}, {"ancestor": 9}, {"ref": "nothing", "resolve": "remote"}])
def test_a_commit_that_is_not_there_is_an_error_of_the_pack(repository, more):
    outcome, events = start(task_of(repositories=[placed(repository, **more)]), site=site(repository))
    assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "pack")
    assert "workspace.repository.failed" in types(events)


def test_a_hook_that_deletes_a_repository_ends_the_trial(repository):
    gone = hook("before_each", "rm", "-rf", "{{workspace_path}}/repo")
    task = task_of(gone, files={"a": ""}, repositories=[placed(repository)])
    outcome, events = start(task, site=site(repository))
    assert outcome.verdict is Verdict.ERROR
    assert payload(events, "system.run.failed")["failure_reason_code"] == "script_error"


SPOIL = "open('repo/widget.txt', 'w').write('spoilt'); open('repo/new.log', 'w'); open('own.txt', 'w'); print('hub')"


@pytest.mark.parametrize(("mode", "left"), [("fast", ["new.log"]), ("strict", [])])
def test_under_shared_isolation_a_reset_acts_on_the_repositories(repository, mode, left):
    (repository[0] / ".gitignore").write_text("*.log\n")
    git(repository[0], "add", ".")
    git(repository[0], "commit", "-m", "ignore")
    look = hook(
        "after_each", "sh", "-c", "cd $0/repo && cat widget.txt && ls *.log; ls ..", "{{workspace_path}}", reset=mode
    )
    task = task_of(look, repositories=[placed(repository)], isolation="shared")
    _, events = start(task, SPOIL, site=site(repository))
    assert payload(events, "workspace.hook.completed")["stdout"].split() == ["2", *left, "own.txt", "repo"]
    assert "spoilt" in payload(events, "workspace.changed")["diff"]


def test_per_test_a_reset_acts_on_the_workspace_but_for_its_repositories(repository):
    look = hook(
        "after_each", "sh", "-c", "cd $0 && ls && cat repo/widget.txt a.txt", "{{workspace_path}}", reset="strict"
    )
    task = task_of(look, files={"a.txt": "a"}, repositories=[placed(repository)])
    _, events = start(
        task,
        SPOIL.replace("open('own", "os.remove('a.txt'); open('own").replace("open", "import os; open", 1),
        site=site(repository),
    )
    assert payload(events, "workspace.hook.completed")["stdout"].split() == ["a.txt", "repo", "spoilta"]


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


def test_what_the_workspace_needs_and_has_is_no_trouble():
    assert start(task_of(required_commands=("sh",), required_python_modules=("json",)))[0].verdict is Verdict.PASSED


def test_hooks_run_for_agents_that_do_not_work_on_files():
    outcome, events = run(task_of(tell("before_each")), "reference")
    assert outcome.verdict is Verdict.PASSED
    assert "workspace.hook.completed" in types(events)


def test_an_allowed_address_is_one_or_begins_with_one():
    allowed = Site(sources=("https://example.org/team/", "https://example.com/one.git"))
    assert allowed.allows_address("https://example.org/team/widget.git")
    assert allowed.allows_address("https://example.com/one.git")
    assert not allowed.allows_address("https://example.org/teammates/widget.git")
    assert not allowed.allows_address("https://example.com/one.github")


def test_a_failed_setup_is_the_packs():
    assert SetupFailed("no", "script_error").facts == {"failure_stage": "setup", "failure_reason_code": "script_error"}
