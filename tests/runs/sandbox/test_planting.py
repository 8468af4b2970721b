"""Files that a task plants outside of its working directory."""

import json
import tempfile
from pathlib import Path

import pytest

from runs.sandbox import bubblewrap, landlock, local
from runs.sandbox.contract import PathRefused, Room, SandboxUnavailable
from runs.sandbox.planting import check_places, plant
from runs.sandbox.slots import base_folder
from tests.runs.sandbox.containers import InImage
from tests.runs.sandbox.rooms import python, room

needed = pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle())
PLACES = ["/run/secrets/key", "/opt/app/.aws/credentials", "/home/agent/.ssh/id", "/tmp/left/key", "/var/lib/app/key"]
PLANTED = {path: f"canary of {path}".encode() for path in PLACES}
LOOK = """
import json, sys
found = {}
for path in json.load(sys.stdin):
    found[path] = open(path).read()
    try:
        open(path, "w")
        found[path] = "changed"
    except OSError:
        pass
print(json.dumps(found))
"""


def seen(workspace, paths):
    """What a program reads at these places; `changed` where it could write there."""
    result = workspace.run(python(LOOK, stdin=json.dumps(list(paths)).encode()))
    assert result.exit_code == 0, result.stderr
    return {path: text.encode() for path, text in json.loads(result.stdout).items()}


@needed
def test_programs_find_planted_files_at_their_places_and_cannot_change_them():
    with bubblewrap.open_workspace(room(planted=PLANTED)) as workspace:
        assert seen(workspace, PLANTED) == PLANTED
        assert workspace.list_directory(".", recursive=True) == []


@needed
def test_a_file_planted_in_etc_stands_beside_what_programs_need_there():
    planted = {"/etc/app/token": b"canary", "/etc/hosts": b"127.0.0.1 localhost decoy\n"}
    with bubblewrap.open_workspace(room(planted=planted)) as workspace:
        assert seen(workspace, planted) == planted
        assert seen(workspace, ["/etc/passwd"])["/etc/passwd"].startswith(b"root:")


@needed
def test_nothing_of_it_is_left_and_other_workspaces_see_none(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with bubblewrap.open_workspace(room(planted=PLANTED)), bubblewrap.open_workspace(room()) as other:
        assert other.run(python("open('/run/secrets/key')")).exit_code == 1
    assert list(base_folder().rglob("planted-*")) == []


@pytest.mark.services
def test_containers_have_them_too(container_engine):
    planted = {**PLANTED, "/etc/app/token": b"canary"}
    with InImage().open_workspace(room(planted=planted)) as workspace:
        assert seen(workspace, planted) == planted


@pytest.mark.parametrize("sandbox", [landlock, local])
def test_a_sandbox_that_cannot_have_them_is_no_fault_of_the_pack(sandbox):
    with pytest.raises(SandboxUnavailable), sandbox.open_workspace(Room(planted=PLANTED)):
        pass
    assert not Path("/run/secrets/key").exists()


@pytest.mark.parametrize(
    "path",
    ["/usr/bin/env", "/proc/self/mem", "/dev/null", "relative/key", "/top", "/a/../../b/c", "/workspace", "/x/y", "/"],
)
def test_where_the_system_or_a_folder_is_nothing_can_be_planted(path, tmp_path):
    with pytest.raises(PathRefused):
        check_places([path, "/x/y/z"], "/workspace/deep")
    with pytest.raises(PathRefused):
        plant(Room(planted={path: b"", "/x/y/z": b""}, working_directory="/workspace/deep"), tmp_path / "beside")
    assert not (tmp_path / "beside").exists()
