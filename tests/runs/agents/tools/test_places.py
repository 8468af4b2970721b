import pytest

from runs.agents.tools.contract import Bench, Origin, ToolFailed
from runs.agents.tools.places import readable, relative_path, writable


def bench(**more):
    return Bench(None, lambda kind, payload: None, **more)


@pytest.mark.parametrize(
    ("path", "found"), [("", "."), ("/workspace", "."), ("/workspace/a/b", "a/b"), ("a//b/", "a/b"), ("./a", "a")]
)
def test_paths_become_relative_to_the_working_directory(path, found):
    assert relative_path(bench(), path).as_posix() == found


@pytest.mark.parametrize("path", ["/etc", "/workspacex", "..", "a/../../b", "/workspace/../etc", "a\0b"])
def test_paths_that_leave_the_workspace_are_refused(path):
    with pytest.raises(ToolFailed):
        relative_path(bench(), path)


def test_roots_narrow_what_can_be_read_and_written():
    room = bench(readable_roots=("/workspace/in",), writable_roots=("out", "/elsewhere"))
    assert (readable(room, "in/a.txt"), writable(room, "/workspace/out/b.txt")) == ("in/a.txt", "out/b.txt")
    for refused in (
        lambda: readable(room, "out/b.txt"),
        lambda: writable(room, "in/a.txt"),
        lambda: readable(room, ""),
    ):
        with pytest.raises(ToolFailed) as failure:
            refused()
        assert failure.value.origin is Origin.POLICY
