import os
import signal
import socket
import tempfile
from pathlib import Path

import pytest

from runs.sandbox import bubblewrap
from runs.sandbox.attacks.leftovers import marked
from runs.sandbox.bubblewrap.arguments import Inside, check_directory
from runs.sandbox.bubblewrap.etc import compose, folder_of_etc
from runs.sandbox.bubblewrap.modes import Mode, has_users, lacking_capabilities, mode_of_process
from runs.sandbox.contract import MEBIBYTE, Command, Limits, PathRefused, Room, SandboxUnavailable, Stop
from runs.sandbox.slots import FIRST_USER, base_folder
from tests.runs.sandbox.rooms import CROWD_SIZE, busy_worker, is_swept, python, room, wait_until

needed = pytest.mark.skipif(bool(bubblewrap.obstacle()), reason=bubblewrap.obstacle())


def run(command, asked=None):
    with bubblewrap.open_workspace(asked or room()) as workspace:
        return workspace.run(command)


@needed
def test_nothing_is_left_when_the_worker_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    mark = f"marked-{os.getpid()}"
    with busy_worker("bubblewrap", tmp_path, mark) as worker:
        # The program's own processes, and bubblewrap's two with its command line.
        assert len(marked(mark)) >= CROWD_SIZE
        [lock] = base_folder().glob("*.lock")
        notes = lock.read_text().splitlines()
        groups = [Path(line.split()[1]) for line in notes if line.startswith("cgroup")]
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    wait_until(lambda: not marked(mark))
    wait_until(is_swept)
    assert str(tmp_path) not in Path("/proc/self/mountinfo").read_text()
    assert [folder for folder in groups if folder.exists()] == []


@needed
def test_programs_find_the_workspace_at_the_tasks_working_directory():
    asked = room(working_directory="/home/agent/project", files={"/home/agent/project/a.txt": b"hub"})
    assert run(python("import os; print(os.getcwd(), open('/home/agent/project/a.txt').read())"), asked).stdout == (
        b"/home/agent/project hub\n"
    )


@pytest.mark.parametrize("path", ["/", "/usr", "/usr/local/app", "/etc/x", "/proc/1", "/tmp", "relative", "/a/../usr"])
def test_a_working_directory_that_the_system_needs_is_refused(path):
    with pytest.raises(PathRefused):
        check_directory(path)


@needed
def test_a_program_can_serve_itself_on_loopback():
    code = (
        "import socket; server = socket.create_server(('localhost', 0)); "
        "client = socket.create_connection(server.getsockname()); print('connected')"
    )
    assert run(python(code)).stdout == b"connected\n"


@needed
def test_the_machines_network_is_there_only_for_a_room_that_has_it():
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 5); print('reached')"
        assert run(python(code), room(network=True)).stdout == b"reached\n"
        assert run(python(code)).stdout == b""


@needed
def test_shared_paths_can_be_read_at_their_place_and_not_written(tmp_path):
    (tmp_path / "tool.txt").write_text("tool")
    (tmp_path / "tool.txt").chmod(0o644)
    tmp_path.chmod(0o777)
    code = f"print(open('{tmp_path}/tool.txt').read()); open('{tmp_path}/new', 'w')"
    with bubblewrap.open_workspace(Room(shared_paths=(str(tmp_path),))) as workspace:
        result = workspace.run(python(code))
    assert (result.stdout, result.exit_code) == (b"tool\n", 1)
    assert not (tmp_path / "new").exists()


@needed
def test_a_limit_that_ended_a_program_is_told():
    small = Limits(memory_bytes=64 * MEBIBYTE, disk_bytes=MEBIBYTE, file_bytes=8 * MEBIBYTE)
    with bubblewrap.open_workspace(room(limits=small)) as workspace:
        hog = workspace.run(python("x = []\nwhile True: x.append(bytearray(b'x') * 8_000_000)"))
        assert hog.stop is Stop.MEMORY or b"MemoryError" in hog.stderr
        full = workspace.run(python("open('x', 'wb').write(b'x' * 4_000_000)\nimport time; time.sleep(600)"))
        assert full.stop is Stop.DISK


@needed
def test_a_program_that_fails_like_bubblewrap_is_still_the_agents():
    result = run(Command(["sh", "-c", "echo 'bwrap: no such thing' >&2; exit 1"]))
    assert (result.exit_code, result.stop) == (1, Stop.NONE)


@needed
def test_a_script_without_its_interpreter_cannot_be_started():
    asked = room(files={"run": b"#!/no/such/interpreter\n"}, executable=frozenset({"run"}))
    with pytest.raises((FileNotFoundError, PermissionError)):
        run(Command(["./run"]), asked)


@needed
def test_names_and_certificates_are_known_inside():
    code = "import pwd, os, socket; print(pwd.getpwuid(os.getuid()).pw_shell, socket.gethostname())"
    assert run(python(code)).stdout == b"/bin/sh sandbox\n"


def test_root_in_a_user_namespace_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert mode_of_process() is Mode.ROOT
    with pytest.raises(SandboxUnavailable):
        Inside(Mode.USER, Room(), tmp_path, FIRST_USER).arguments([])


def test_what_a_root_lacks_is_named():
    assert lacking_capabilities("Name:\tx\nCapEff:\t000001fffeffffff\n") == []
    assert lacking_capabilities("CapEff:\t00000000a80425fb\n") == ["CAP_SYS_ADMIN"]
    assert has_users("         0          0 4294967295\n")
    assert not has_users("         0     100000      50000\n")


def test_keys_stay_out_of_what_programs_see_of_etc(tmp_path):
    source, target = tmp_path / "etc", tmp_path / "seen"
    (source / "ssl" / "certs").mkdir(parents=True)
    target.mkdir()
    (source / "ssl" / "certs" / "ca.pem").write_text("certificate")
    (source / "ssl" / "certs" / "own.key").write_text("key")
    (source / "ssl" / "certs" / "own.key").chmod(0o600)
    (source / "passwd").write_text("someone")
    for path in (source / "ssl" / "certs", source / "ssl" / "certs" / "ca.pem"):
        path.chmod(0o755)
    compose(source, target)
    assert [path.name for path in (target / "ssl" / "certs").iterdir()] == ["ca.pem"]
    assert "someone" not in (target / "passwd").read_text()


def test_what_programs_of_other_users_need_is_open_to_them_whatever_the_mask_is(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = os.umask(0o077)
    try:
        etc = folder_of_etc.__wrapped__()
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in (etc, *etc.rglob("*")) if not path.is_symlink()}
    assert (etc.parent.stat().st_mode & 0o777, modes) == (0o711, {0o755, 0o644})


@needed
@pytest.mark.parametrize("name", ["hosts", "resolv.conf"])
def test_a_room_with_the_network_finds_hosts_as_the_machine_does(name):
    code = f"import sys; sys.stdout.buffer.write(open('/etc/{name}', 'rb').read())"
    assert run(python(code), room(network=True)).stdout == Path("/etc", name).read_bytes()


@needed
def test_no_program_puts_another_file_in_place_of_a_read_only_one():
    code = "import os; open('new', 'w').write('other'); os.replace('new', 'spec.txt')"
    asked = room(files={"spec.txt": b"spec"}, read_only=frozenset({"spec.txt"}))
    with bubblewrap.open_workspace(asked) as workspace:
        assert workspace.run(python(code)).exit_code == 1
        assert workspace.run(python("print(open('spec.txt').read())")).stdout == b"spec\n"
