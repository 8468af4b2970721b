import os
import signal
import tempfile
from pathlib import Path

import pytest

from runs.sandbox import landlock
from runs.sandbox.attacks.leftovers import marked
from runs.sandbox.contract import Command
from runs.sandbox.slots import is_taken
from tests.runs.sandbox.rooms import CROWD_SIZE, busy_worker, is_swept, python, room, wait_until

pytestmark = pytest.mark.skipif(bool(landlock.obstacle()), reason=landlock.obstacle())


def test_programs_die_with_the_worker_daemons_included(passable, monkeypatch):
    mark = f"marked-{os.getpid()}"
    with busy_worker("landlock", passable, mark) as worker:
        assert len(marked(mark)) == CROWD_SIZE
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    wait_until(lambda: not marked(mark))
    monkeypatch.setattr(tempfile, "tempdir", passable)
    wait_until(is_swept)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs programs as other users")
def test_a_killed_workers_user_is_nobody_elses_until_its_programs_are_ended(passable, monkeypatch):
    mark = f"marked-{os.getpid()}"
    with busy_worker("landlock", passable, mark) as worker:
        [lock] = Path(passable).glob("packwright-sandbox-*/*.lock")
        [launcher] = [int(line.split()[1]) for line in lock.read_text().splitlines() if line.startswith("process")]
        # It ends all programs of its user, as late as a busy machine lets it.
        os.kill(launcher, signal.SIGSTOP)
        try:
            worker.send_signal(signal.SIGKILL)
            worker.wait()
            assert is_taken(int(lock.stem))
        finally:
            os.kill(launcher, signal.SIGCONT)
    wait_until(lambda: not marked(mark))
    monkeypatch.setattr(tempfile, "tempdir", passable)
    wait_until(is_swept)


def test_there_is_a_temporary_folder_of_ones_own():
    with landlock.open_workspace(room()) as workspace:
        code = "import tempfile; f = tempfile.NamedTemporaryFile(); print(f.name)"
        place = workspace.run(python(code)).stdout.decode()
    assert place.startswith(str(workspace.scratch))
    assert not workspace.scratch.exists()


def test_a_script_without_its_interpreter_cannot_be_started():
    asked = room(files={"run": b"#!/no/such/interpreter\n"}, executable=frozenset({"run"}))
    with landlock.open_workspace(asked) as workspace, pytest.raises(FileNotFoundError):
        workspace.run(Command(["./run"]))
