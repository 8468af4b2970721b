from contextlib import ExitStack

import pytest

from packs.formats.task import Capture, Environment
from runs.engine.recorder import Recorder
from runs.engine.verification import MAX_TOTAL_BYTES, verify
from runs.sandbox import local
from runs.sandbox.contract import Room
from tests.runs.tasks import make_task


@pytest.fixture
def take():
    """What is captured from a workspace with these files."""
    with ExitStack() as stack:

        def act(files, *captures):
            workspace = stack.enter_context(local.open_workspace(Room(files=files)))
            recorder = Recorder("native_engine", lambda event: None)
            verify(make_task(environment=Environment(captures=captures)), workspace, recorder)
            return [event["payload"] for event in recorder.events]

        yield act


def test_all_files_together_are_cut_at_ten_mebibytes(take):
    size = 4 * 1024 * 1024
    files = {f"{name}.txt": b"x" * size for name in "abcd"}
    captured = take(files, *(Capture(name, "file_capture", name, max_size_bytes=size) for name in files))
    assert [len(item["content"]) for item in captured] == [size, size, MAX_TOTAL_BYTES - 2 * size, 0]
    assert [item["truncated"] for item in captured] == [False, False, True, True]


def test_bytes_that_are_no_text_are_captured_with_signs_of_replacement(take):
    [captured] = take({"a.bin": b"\xff\x00hub"}, Capture("a", "file_capture", "a.bin"))
    assert captured["content"] == "\ufffd\0hub"


def test_a_directory_that_is_not_there_is_listed_as_empty(take):
    [listed] = take({}, Capture("d", "directory_listing", "none"))
    assert listed["entries"] == []
