from packs.formats.task import Environment, WorkspaceFile
from runs.engine.rooms import room_of
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


def _read(file):
    return b"\0" if file.asset_key == "b" else None
