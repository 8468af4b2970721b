import os
from pathlib import Path

import pytest

from runs.sandbox import SANDBOXES
from runs.sandbox.contract import Command, PathRefused
from runs.sandbox.lending import lend
from tests.runs.sandbox.containers import InImage
from tests.runs.sandbox.rooms import python, room

KINDS = list(SANDBOXES)
CONFINED = [kind for kind in KINDS if kind != "local"]
READ = "import sys; print(open(sys.argv[1]).read(), end='')"


@pytest.fixture
def workspace(request):
    if request.param == "container":
        request.getfixturevalue("container_engine")
        sandbox = InImage()
    else:
        sandbox = SANDBOXES[request.param]
        if sandbox.obstacle():
            pytest.skip(f"{request.param}: {sandbox.obstacle()}")
    with sandbox.open_workspace(room(files={"own.txt": b"own"})) as opened:
        yield opened


@pytest.mark.parametrize("workspace", KINDS, indirect=True)
def test_a_command_starts_in_a_lent_folder_and_reads_what_is_there(workspace):
    with lend({"pack/a.txt": b"lent"}) as lent:
        command = python("print(open('a.txt').read())", directory=f"{lent.path}/pack", shared_paths=(lent.path,))
        assert workspace.run(command).stdout == b"lent\n"


@pytest.mark.parametrize("workspace", CONFINED, indirect=True)
def test_a_lent_folder_is_hidden_from_every_other_command(workspace):
    with lend({"a.txt": b"lent"}) as lent:
        code = f"open({lent.path + '/a.txt'!r})"
        assert workspace.run(python(code, shared_paths=(lent.path,))).exit_code == 0
        assert workspace.run(python(code)).exit_code == 1


@pytest.mark.parametrize("workspace", CONFINED, indirect=True)
def test_what_is_lent_cannot_be_changed(workspace):
    with lend({"a.txt": b"lent"}) as lent:
        code = f"open({lent.path + '/a.txt'!r}, 'w')"
        assert workspace.run(python(code, shared_paths=(lent.path,))).exit_code == 1
        assert Path(lent.path, "a.txt").read_bytes() == b"lent"


@pytest.mark.parametrize("workspace", KINDS, indirect=True)
def test_a_program_that_says_what_runs_it_can_be_started(workspace):
    with lend({"hello.sh": b"#!/bin/sh\necho hello\n"}) as lent:
        command = Command(["./hello.sh"], directory=lent.path, shared_paths=(lent.path,))
        assert workspace.run(command).stdout == b"hello\n"


@pytest.mark.parametrize("workspace", KINDS, indirect=True)
def test_a_folder_that_is_not_lent_is_no_place_to_start(workspace):
    with lend({}) as lent:
        command = python("", directory=f"{lent.path}/none", shared_paths=(lent.path,))
        with pytest.raises(FileNotFoundError):
            workspace.run(command)
        with pytest.raises((FileNotFoundError, PathRefused)):
            workspace.run(python("", directory=lent.path))


@pytest.mark.parametrize("name", ["../a", "/a", "", "a/../../b", "a\0b"])
def test_names_that_leave_the_folder_are_refused(name):
    with lend({}) as lent, pytest.raises(PathRefused):
        lent.add(name, b"")


def test_a_file_where_a_folder_is_needed_is_refused():
    with lend({"a": b""}) as lent, pytest.raises(PathRefused):
        lent.add("a/b", b"")


def test_folders_can_be_passed_whatever_the_mask_of_the_worker():
    before = os.umask(0o077)
    try:
        with lend({"a/b/c.txt": b""}) as lent:
            modes = [Path(lent.path, name).stat().st_mode & 0o777 for name in ("a", "a/b", "a/b/c.txt")]
            assert (modes, Path(lent.make("d")).is_dir()) == ([0o755, 0o755, 0o644], True)
    finally:
        os.umask(before)


def test_nothing_is_left_of_a_lent_folder():
    with lend({"a.txt": b""}) as lent:
        folder = Path(lent.path)
    assert not folder.exists()
