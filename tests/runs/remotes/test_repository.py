"""Folders of repositories, read and written by git itself over http."""

import pytest

from packs.remotes import Fetched, Folder, RemoteRefused, Signature
from runs.remotes import Login, Repository
from runs.sandbox import SANDBOXES
from runs.sandbox.contract import Limits, Room
from tests.git_server import served

FILES = {
    "README.md": b"one\r\ntwo\n",
    ".gitattributes": b"* text=auto eol=crlf\n*.txt export-subst\n",
    "packs/a/pack.yaml": b"name: a\r\n",
    'packs/a/odd "name"\\ é.txt': b"$Format:%H$\n\x00\xff",
    "packs/ab/other.txt": b"not of the folder",
}
ANN = Login("ann", "let me in")
BY = Signature("Ann <Author>\n", "ann@example.org", "Change the name\n\nfor good")


@pytest.fixture(params=["bubblewrap", "landlock"])
def sandbox(request):
    found = SANDBOXES[request.param]
    if found.obstacle():
        pytest.skip(found.obstacle())
    return found


@pytest.fixture
def server(tmp_path):
    with served(tmp_path, ("ann", "let me in")) as found:
        yield found


@pytest.fixture
def reach(sandbox):
    """What is done with a repository, each time in a workspace of its own."""

    def act(place, act, *arguments, login=ANN):
        with sandbox.open_workspace(Room()) as workspace:
            return getattr(Repository(workspace, place, login), act)(*arguments)

    return act


def below(folder):
    return {path.removeprefix(folder): content for path, content in FILES.items() if path.startswith(folder)}


def test_files_come_byte_for_byte_whatever_the_attributes_say(server, reach):
    url = server.make("desk", FILES)
    found = reach(Folder(url, "main", "packs/a"), "fetch")
    assert found.files == below("packs/a/")
    assert reach(Folder(url, "main"), "fetch") == Fetched(found.commit, FILES)
    with pytest.raises(RemoteRefused, match="no branch 'elsewhere'. It has: main"):
        reach(Folder(url, "elsewhere"), "fetch")


def test_a_push_changes_what_it_names_and_nothing_else(server, reach):
    url = server.make("desk", FILES)
    (server.folder / "desk-work" / "link").symlink_to("README.md")
    program = server.folder / "desk-work" / "packs" / "a" / "run.sh"
    program.write_bytes(b"#!/bin/sh\n")
    program.chmod(0o755)
    server.push("desk", {})
    place = Folder(url, "main", "packs/a")
    base = reach(place, "fetch").commit
    odd = next(path for path in below("packs/a/") if "odd" in path)
    changes = {"pack.yaml": b"name: b\r\n", "new/x.bin": b"\x00", odd: None, "run.sh": b"#!\n"}
    made = reach(place, "push", base, changes, BY)
    files, by = server.at("desk")
    assert files == {
        **{path: content for path, content in FILES.items() if odd not in path},
        "link": b"README.md",
        "packs/a/pack.yaml": b"name: b\r\n",
        "packs/a/new/x.bin": b"\x00",
        "packs/a/run.sh": b"#!\n",
    }
    assert by == "Ann Author <ann@example.org>: Change the name\n\nfor good"
    assert reach(place, "fetch").commit == made
    assert reach(Folder(url, "main"), "fetch").skipped == ("link",)


def test_nothing_is_written_where_the_branch_went_on(server, reach):
    url = server.make("desk", FILES)
    place = Folder(url, "main", "packs/a")
    base = reach(place, "fetch").commit
    server.push("desk", {"README.md": b"theirs"})
    with pytest.raises(RemoteRefused) as refused:
        reach(place, "push", base, {"pack.yaml": b"ours"}, BY)
    assert refused.value.code == "behind"
    assert server.at("desk")[0]["packs/a/pack.yaml"] == b"name: a\r\n"


def test_an_empty_repository_gets_its_first_commit_and_another_branch_its_own(server, reach):
    url = server.empty("desk")
    place = Folder(url, "main", "packs/a")
    assert reach(place, "fetch") == Fetched("", {})
    base = reach(place, "push", "", {"pack.yaml": b"new"}, BY)
    reach(place, "push", base, {"pack.yaml": b"newer"}, BY, "draft/one")
    assert server.at("desk")[0] == {"packs/a/pack.yaml": b"new"}
    assert server.at("desk", "draft/one")[0] == {"packs/a/pack.yaml": b"newer"}


def test_how_git_ended_is_told_where_it_said_nothing(sandbox):
    place = Folder("https://example.org/desk.git", "main", "")
    with (
        sandbox.open_workspace(Room(limits=Limits(file_bytes=256))) as workspace,
        pytest.raises(RemoteRefused, match=r"exit code -25\."),
    ):
        Repository(workspace, place).fetch()


@pytest.mark.parametrize("login", [Login(), Login("ann", "wrong")])
def test_who_may_not_read_is_told_so_and_no_password_is_shown(server, reach, login):
    url = server.make("desk", FILES)
    with pytest.raises(RemoteRefused) as refused:
        reach(Folder(url, "main"), "fetch", login=login)
    assert refused.value.code == "not_reached"
    assert "Authentication" in refused.value.message or "could not read Username" in refused.value.message
    assert "wrong" not in refused.value.message
