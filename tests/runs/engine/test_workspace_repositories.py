"""Workspaces with repositories and resets, in whole trials."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from packs.formats.task import Repository, WorkspaceFile
from runs.engine.outcome import Verdict
from runs.engine.workspace import Site
from runs.sandbox import SANDBOXES
from runs.sandbox.bubblewrap.etc import open_for_all
from tests.runs.tasks import payload, types
from tests.runs.workspaces import CONFINED, git, hook, start, task_of
from tests.services import ENDING_SECONDS, answers, free_port, wait_until


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
    # Programs clone as other users.
    open_for_all(folder)
    return folder, commits


@pytest.fixture(params=["local", "bubblewrap"])
def kind(request):
    """A sandbox without isolation and one that shares the network with nothing but git."""
    sandbox = SANDBOXES[request.param]
    if sandbox.obstacle():
        pytest.skip(sandbox.obstacle())
    return sandbox


@pytest.fixture(scope="module")
def git_server(tmp_path_factory):
    """The beginning of URLs at which git serves every repository in a folder, and that folder."""
    base, port = tmp_path_factory.mktemp("served"), free_port()
    listening = ("--listen=127.0.0.1", f"--port={port}", "--reuseaddr", f"--base-path={base}", "--export-all")
    trusted = ("-c", "safe.directory=*")
    server = subprocess.Popen(["git", *trusted, "daemon", *listening, str(base)], stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: answers(port), "git daemon")
        yield f"git://127.0.0.1:{port}", base
    finally:
        server.terminate()
        server.wait(ENDING_SECONDS)


def placed(repository, **more):
    folder, _ = repository
    return Repository("./repo", "local", str(folder), **{"resolve": "local", **more})


def site(repository):
    return Site("run-7", (str(repository[0].parent),))


READ = "print(open('repo/widget.txt').read().strip(), 'hub')"


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


SPOIL = "open('repo/widget.txt', 'w').write('broken'); open('repo/new.log', 'w'); open('own.txt', 'w'); print('hub')"


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
    assert "broken" in payload(events, "workspace.changed")["diff"]


def test_what_an_agent_spoils_is_not_the_packs_fault(repository):
    code = "import shutil; shutil.rmtree('repo'); print('hub')"
    look = hook("after_each", "true", reset="fast")
    task = task_of(look, files={"a": ""}, repositories=[placed(repository)], isolation="shared")
    outcome, events = start(task, code, site=site(repository))
    assert (outcome.verdict, outcome.fault) == (Verdict.PASSED, "")
    assert "repo" in payload(events, "workspace.reset")["error"]


def test_a_workspace_that_an_agent_left_too_full_to_compare_is_told(monkeypatch):
    monkeypatch.setattr("runs.sandbox.folders.MAX_SNAPSHOT_FILES", 5)
    outcome, events = start(task_of(files={"a": ""}), "[open(f'f{n}', 'w') for n in range(9)]; print('hub')")
    assert outcome.verdict is Verdict.PASSED
    assert payload(events, "workspace.changed")["error"]


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
    assert payload(events, "workspace.hook.completed")["stdout"].split() == ["a.txt", "repo", "brokena"]


def served(repository, git_server):
    """A repository at a URL that names it alone; gives the URL."""
    address, base = git_server
    name = f"{repository[0].parent.parent.name}.git"
    git(base, "clone", "--quiet", "--bare", str(repository[0]), name)
    return f"{address}/{name}"


@pytest.mark.services
@pytest.mark.parametrize(
    ("more", "number"),
    [
        ({"resolve": "remote"}, 2),
        ({"ref": "v1", "resolve": "remote"}, 1),
        ({"ref": "v1", "resolve": "local", "ancestor": 1}, 0),
        ({"depth": 2, "ancestor": 1}, 1),
    ],
)
def test_a_repository_is_fetched_over_the_network_where_its_address_is_allowed(
    repository, git_server, kind, more, number
):
    url = served(repository, git_server)
    task = task_of(repositories=[Repository("./repo", "git", url, **more)])
    outcome, events = start(task, READ, sandbox=kind, site=Site("run-7", (git_server[0],)))
    assert outcome.final_output == f"{number} hub", outcome.error
    assert payload(events, "workspace.repository.placed")["commit"] == repository[1][number]


@pytest.mark.services
def test_a_repository_is_not_fetched_over_the_network_where_nobody_allows_its_address(repository, git_server, kind):
    url = served(repository, git_server)
    task = task_of(repositories=[Repository("./repo", "git", url)])
    for sources in ((), (f"{url}.other",), (git_server[0].replace("git:", "https:"),)):
        outcome, events = start(task, READ, sandbox=kind, site=Site("run-7", sources))
        assert (outcome.verdict, outcome.fault) == (Verdict.ERROR, "pack")
        assert payload(events, "system.run.failed")["failure_reason_code"] == "clone_error"
        assert "workspace.repository.placed" not in types(events)


@pytest.mark.services
@pytest.mark.skipif(bool(CONFINED.obstacle()), reason=CONFINED.obstacle() or "confined")
def test_the_network_of_a_clone_is_there_for_git_alone(repository, git_server):
    url, port = served(repository, git_server), int(git_server[0].rpartition(":")[2])
    code = (
        "import socket\n"
        f"try:\n    socket.create_connection(('127.0.0.1', {port}), 2)\nexcept OSError:\n    print('nothing, hub')"
    )
    task = task_of(repositories=[Repository("./repo", "git", url)])
    outcome, _ = start(task, code, sandbox=CONFINED, site=Site("run-7", (url,)))
    assert outcome.final_output == "nothing, hub", outcome.error
