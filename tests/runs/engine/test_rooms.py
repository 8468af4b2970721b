import pytest

from packs.formats.task import Environment, WorkspaceFile, WorkspacePlan
from runs.agents.contract import PackProblem
from runs.engine.rooms import room_of
from runs.sandbox.contract import Limits
from tests.runs.tasks import make_task


def test_a_room_has_what_the_task_states_and_leaves_out_files_that_nobody_has():
    files = (
        WorkspaceFile("a.txt", "text", read_only=True),
        WorkspaceFile("b.bin", asset_key="b"),
        WorkspaceFile("missing.bin", asset_key="c", read_only=True),
    )
    environment = Environment(
        working_directory="/task", files=files, variables={"A": "1"}, network=True, image="python:3"
    )
    room = room_of(make_task(environment=environment), _read)
    assert room.files == {"a.txt": b"text", "b.bin": b"\0"}
    assert room.read_only == {"a.txt"}
    assert (room.working_directory, room.variables, room.network, room.image) == ("/task", {"A": "1"}, True, "python:3")


def test_what_the_author_must_mend_is_told_instead_of_a_room():
    with pytest.raises(PackProblem, match="fix this"):
        room_of(make_task(environment=Environment(obstacle="fix this")), _read)


@pytest.mark.parametrize(
    ("stated", "disk_bytes"),
    [(1000, 1000), (10**15, Limits().disk_bytes), (0, Limits().disk_bytes), ("1", Limits().disk_bytes)],
)
def test_a_task_can_make_its_workspace_smaller_only(stated, disk_bytes):
    limits = room_of(make_task(environment=Environment(filesystem={"max_workspace_bytes": stated})), _read).limits
    assert limits.disk_bytes == disk_bytes
    assert limits.file_bytes <= disk_bytes


def test_files_that_are_planted_outside_stay_apart_from_those_of_the_workspace():
    environment = Environment(planted=(WorkspaceFile("/etc/app/key", "canary"),))
    room = room_of(make_task(environment=environment), _read)
    assert (room.planted, room.files) == ({"/etc/app/key": b"canary"}, {})


def limits(**container):
    environment = Environment(image="python:3", workspace=WorkspacePlan(container=container))
    return room_of(make_task(environment=environment), _read).limits


def test_a_room_has_the_limits_that_are_stated_for_its_container():
    assert limits(memory="512m", cpus=1.5, timeout=30) == Limits(memory_bytes=512 * 1024**2, processors=1.5)
    assert limits() == Limits()


@pytest.mark.parametrize("container", [{"memory": "lots"}, {"memory": "1m"}, {"memory": 7}, {"cpus": 0}, {"cpus": "x"}])
def test_a_limit_that_no_container_can_be_given_is_the_authors_to_mend(container):
    with pytest.raises(PackProblem):
        limits(**container)


def _read(file):
    return b"\0" if file.asset_key == "b" else None
