import os
import signal
import subprocess
import sys
import tempfile

import pytest

from runs.sandbox import slots
from runs.sandbox.contract import SandboxUnavailable
from runs.sandbox.slots import STOCK, base_folder, start_time, sweep, take_slot
from tests.runs.sandbox.rooms import wait_until

HOLD = """
import subprocess, sys, tempfile, time
from pathlib import Path
from runs.sandbox import slots
from runs.sandbox.slots import take_slot
tempfile.tempdir, slots.SHARED = sys.argv[1], Path(sys.argv[2])
with take_slot() as slot:
    (slot.work / "left.txt").write_text("x")
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    slot.note_process(child.pid)
    print(child.pid, flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def place(monkeypatch, tmp_path):
    """A machine of its own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(slots, "SHARED", tmp_path / "shared")
    return tmp_path


def test_two_at_a_time_have_different_folders_and_users():
    with take_slot() as one, take_slot() as two:
        assert one.work.is_dir()
        assert two.work.is_dir()
        assert (one.folder != two.folder, one.user != two.user) == (True, True)
    assert not one.folder.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs programs as other users")
def test_studios_with_other_temporary_folders_have_other_users(place, monkeypatch):
    worker = subprocess.Popen([sys.executable, "-c", HOLD, str(place), str(slots.SHARED)], stdout=subprocess.PIPE)
    child = int(worker.stdout.readline())
    (place / "other").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place / "other"))
    with take_slot() as slot:
        assert (slot.number, slots.is_taken(0)) == (1, True)
    worker.kill()
    worker.wait()
    worker.stdout.close()
    with take_slot() as slot:
        assert slot.number == 0
        monkeypatch.setattr(tempfile, "tempdir", str(place))
        # What a dead worker left stays while its number is in use elsewhere.
        assert sweep() == 0
    assert sweep() == 1
    wait_until(lambda: not _runs(child))


def test_a_full_machine_says_so(monkeypatch):
    monkeypatch.setattr(slots, "MAX_SLOTS", 1)
    with take_slot(), pytest.raises(SandboxUnavailable), take_slot():
        pass


def test_what_a_killed_worker_left_is_swept_up_and_what_lives_is_left_alone(place):
    worker = subprocess.Popen([sys.executable, "-c", HOLD, str(place), str(slots.SHARED)], stdout=subprocess.PIPE)
    child = int(worker.stdout.readline())
    assert sweep() == 0
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    worker.stdout.close()
    assert start_time(child)
    assert sweep() == 1
    assert [(entry.name, entry.read_bytes()) for entry in base_folder().iterdir()] == [("0.lock", b"")]
    wait_until(lambda: not _runs(child))


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


def write_a_file(folder):
    (folder / "deep").mkdir()
    (folder / "deep" / "left.txt").write_text("x")


def open_to_all(folder):
    folder.chmod(0o777)


def attach_a_note(folder):
    os.setxattr(folder, "user.note", b"for whoever comes next")


def replace_it(folder):
    folder.rmdir()
    target = folder.parent.parent / "not-of-the-slot"
    target.mkdir()
    (target / "kept.txt").write_text("x")
    folder.symlink_to(target)


@pytest.mark.parametrize("leave", [write_a_file, open_to_all, attach_a_note, replace_it])
def test_nobody_finds_in_a_kept_slot_what_others_left_there(leave, place):
    with STOCK.open():
        with take_slot() as slot:
            leave(slot.work)
        with take_slot() as slot:
            status = slot.work.lstat()
            assert (list(slot.work.iterdir()), os.listxattr(slot.work), oct(status.st_mode)) == ([], [], "0o40700")
    assert [entry.name for entry in base_folder().iterdir()] == ["0.lock"]
    assert [entry.name for entry in place.glob("not-of-the-slot/*")] == ["kept.txt"] * (leave is replace_it)


def test_slots_are_kept_as_long_as_anybody_wants_them():
    with STOCK.open():
        with STOCK.open(), take_slot() as one, take_slot() as two:
            pass
        assert (one.folder.is_dir(), two.folder.is_dir(), sweep()) == (True, True, 0)
    assert (one.folder.exists(), two.folder.exists()) == (False, False)


def test_a_slot_in_use_when_nobody_wants_it_kept_any_more_is_given_up_afterwards():
    with STOCK.open():
        taken = take_slot()
        slot = taken.__enter__()
    assert slot.folder.is_dir()
    taken.__exit__(None, None, None)
    assert not slot.folder.exists()


def test_a_process_that_got_a_noted_number_later_is_left_alone(place):
    child = subprocess.Popen(["sleep", "600"], start_new_session=True)
    try:
        with take_slot() as slot:
            os.write(slot.lock.notes, f"process {child.pid} {int(start_time(child.pid)) - 1}\n".encode())
        assert child.poll() is None
        with take_slot() as slot:
            slot.note_process(child.pid)
        assert child.wait(240) == -signal.SIGKILL
    finally:
        child.kill()
