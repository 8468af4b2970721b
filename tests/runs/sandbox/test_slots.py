import os
import signal
import subprocess
import sys
import tempfile
import time

import pytest

from runs.sandbox import slots
from runs.sandbox.contract import SandboxUnavailable
from runs.sandbox.slots import base_folder, start_time, sweep, take_slot

HOLD = """
import subprocess, sys, tempfile, time
from runs.sandbox.slots import take_slot
tempfile.tempdir = sys.argv[1]
with take_slot() as slot:
    (slot.work / "left.txt").write_text("x")
    child = subprocess.Popen(["sleep", "60"], start_new_session=True)
    slot.note_process(child.pid)
    print(child.pid, flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def place(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_two_at_a_time_have_different_folders_and_users():
    with take_slot() as one, take_slot() as two:
        assert one.work.is_dir()
        assert two.work.is_dir()
        assert (one.folder != two.folder, one.user != two.user) == (True, True)
    assert not one.folder.exists()


def test_a_full_machine_says_so(monkeypatch):
    monkeypatch.setattr(slots, "MAX_SLOTS", 1)
    with take_slot(), pytest.raises(SandboxUnavailable), take_slot():
        pass


def test_what_a_killed_worker_left_is_swept_up_and_what_lives_is_left_alone(place):
    worker = subprocess.Popen([sys.executable, "-c", HOLD, str(place)], stdout=subprocess.PIPE)
    child = int(worker.stdout.readline())
    assert sweep() == 0
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    worker.stdout.close()
    assert start_time(child)
    assert sweep() == 1
    assert [(entry.name, entry.read_bytes()) for entry in base_folder().iterdir()] == [("0.lock", b"")]
    deadline = time.monotonic() + 10
    while _runs(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _runs(child)


def _runs(pid):
    """Whether a process is more than a number that nobody has asked for yet."""
    try:
        with open(f"/proc/{pid}/stat") as opened:
            return opened.read().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_a_folder_that_others_can_write_is_not_used(place):
    (place / f"packwright-sandbox-{os.geteuid()}").mkdir()
    (place / f"packwright-sandbox-{os.geteuid()}").chmod(0o777)
    with pytest.raises(SandboxUnavailable), take_slot():
        pass
