"""What a workspace becomes in a task: its first files, its repositories, its hooks."""

import pytest

from packs.formats.agentv.compiler import compile_tasks
from packs.formats.agentv.reader import load

SUITE = "name: s\nworkspace: %s\ntests: [{id: one, criteria: Good, input: Hi%s}]\n"


def environment_of(workspace, own="", **files):
    """Where the one test of a suite works, with these files beside it."""
    given = {"evals/s.eval.yaml": SUITE % (workspace, own), **files}
    pack, _ = load({name: text.encode() for name, text in given.items()})
    (task,) = compile_tasks(pack)
    return task.environment


def plan_of(workspace, own="", **files):
    return environment_of(workspace, own, **files).workspace


def hooks_of(workspace, own="", **files):
    return plan_of(workspace, own, **files).hooks


def test_a_template_gives_all_its_files_but_what_git_keeps():
    names = ("main.txt", "src/a.py", ".git/config", "vendor/.git/HEAD", ".gitignore")
    files = {f"evals/start/{name}": "x" for name in names}
    found = environment_of("{template: ./start}", **files, **{"evals/starting.txt": "x"}).files
    assert {file.path for file in found} == {"main.txt", "src/a.py", ".gitignore"}


def test_a_template_that_is_a_workspace_of_an_editor_means_its_folder():
    files = {"evals/start/desk.code-workspace": "{}", "evals/start/src/a.py": "x"}
    found = environment_of("{template: ./start/desk.code-workspace}", **files).files
    assert {file.path for file in found} == {"desk.code-workspace", "src/a.py"}


@pytest.mark.parametrize(
    ("workspace", "mode"),
    [
        ("{path: /srv/desk}", "static"),
        ("{path: /srv/desk, mode: temp}", "static"),
        ("{mode: pooled, isolation: per_test}", "pooled"),
        ("{repos: [{path: ./r, repo: https://example.org/r.git}]}", "pooled"),
        ("{repos: [{path: ./r, repo: https://example.org/r.git}], isolation: per_test}", "temp"),
        ("{env: {}}", "temp"),
    ],
)
def test_the_mode_is_stated_or_follows_from_the_rest(workspace, mode):
    assert plan_of(workspace).mode == mode


def test_hooks_that_are_switched_off_do_not_run():
    workspace = "{hooks: {%sbefore_each: {command: [prepare]}, after_each: {reset: fast}}}"
    assert [hook.point for hook in hooks_of(workspace % "")] == ["before_each", "after_each"]
    assert hooks_of(workspace % "enabled: false, ") == ()


@pytest.mark.parametrize(("stated", "seconds"), [("1500", 1.5), ("0", 60), ("-1", 60), ("true", 60), ("soon", 60)])
def test_the_time_of_a_hook_is_the_usual_one_where_none_can_be_kept(stated, seconds):
    (hook,) = hooks_of(f"{{hooks: {{before_each: {{command: [prepare], timeout_ms: {stated}}}}}}}")
    assert hook.timeout_seconds == seconds


def test_a_hook_starts_in_the_folder_of_the_file_that_states_its_command():
    shared = {"shared/desk.yaml": "hooks: {before_each: {command: [prepare], cwd: tools}}\n"}
    (hook,) = hooks_of("../shared/desk.yaml", **shared)
    assert hook.directory == "shared/tools"
    (hook,) = hooks_of("../shared/desk.yaml", ", workspace: {hooks: {before_each: {timeout_ms: 9}}}", **shared)
    assert (hook.command, hook.directory, hook.timeout_seconds) == (("prepare",), "shared/tools", 0.009)
    (hook,) = hooks_of("../shared/desk.yaml", ", workspace: {hooks: {before_each: {command: [own]}}}", **shared)
    assert (hook.command, hook.directory) == (("own",), "evals/tools")


def test_repositories_that_say_not_what_or_where_to_are_left_out():
    listed = "[{repo: https://example.org/r.git}, {path: ./r}, {path: ./kept, repo: https://example.org/r.git}]"
    assert [repository.path for repository in plan_of(f"{{repos: {listed}}}").repositories] == ["./kept"]


def test_a_folder_of_the_machine_is_looked_up_in_its_clone():
    workspace = "{repos: [{path: ./r, source: {type: %s, %s}}]}"
    (folder,) = plan_of(workspace % ("local", "path: ../r")).repositories
    assert (folder.kind, folder.location, folder.resolve) == ("local", "../r", "local")
    (remote,) = plan_of(workspace % ("git", "url: https://example.org/r.git")).repositories
    assert (remote.kind, remote.location, remote.resolve) == ("git", "https://example.org/r.git", "remote")
