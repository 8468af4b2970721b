"""Programs in a sandbox that reach one socket of this machine and nothing else."""

import os
import socket
import threading

import pytest

from runs.sandbox import SANDBOXES
from runs.sandbox.contract import Command, SandboxUnavailable, Stop
from runs.sandbox.lending import lend
from runs.sandbox.loopback import Relayed
from tests.runs.sandbox.containers import InImage
from tests.runs.sandbox.rooms import python, room

ASK = """\
import os, socket, urllib.parse
place = urllib.parse.urlsplit(os.environ["PLACE"])
with socket.create_connection((place.hostname, place.port)) as asked:
    asked.sendall(b"are you there?")
    asked.shutdown(socket.SHUT_WR)
    print(asked.makefile().read())
"""


@pytest.fixture(params=["bubblewrap", "container", "local"])
def sandbox(request):
    if request.param == "container":
        request.getfixturevalue("container_engine")
        return InImage()
    kind = SANDBOXES[request.param]
    if kind.obstacle():
        pytest.skip(f"{request.param}: {kind.obstacle()}")
    return kind


@pytest.fixture
def lent():
    with lend({}) as opened:
        yield opened


@pytest.fixture
def answering(lent):
    """A socket in the lent folder that answers everybody in capitals."""
    place = os.open(lent.path, os.O_RDONLY)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"/proc/self/fd/{place}/door")
    os.close(place)
    os.chmod(f"{lent.path}/door", 0o666)
    listener.listen()

    def answer():
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            with caller:
                caller.sendall(caller.makefile().read().upper().encode())

    threading.Thread(target=answer, daemon=True).start()
    yield "door"
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


def relayed(workspace, lent, name="door"):
    return Relayed(workspace, lent, name, "PLACE")


def test_a_program_reaches_the_socket_by_its_own_loopback(sandbox, lent, answering):
    with sandbox.open_workspace(room()) as workspace:
        result = relayed(workspace, lent).run(python(ASK * 2))
        assert (result.exit_code, result.stdout) == (0, b"ARE YOU THERE?\n" * 2), result.stderr


def test_a_program_still_has_its_input_and_its_own_end(sandbox, lent, answering):
    with sandbox.open_workspace(room()) as workspace:
        place = relayed(workspace, lent)
        result = place.run(python("import sys; print(len(sys.stdin.read())); sys.exit(3)", stdin=b"x" * 300_000))
        assert (result.exit_code, result.stdout, result.left_input) == (3, b"300000\n", False)
        unread = python("print('done')", stdin=b"x" * 300_000)
        assert place.run(unread).left_input == workspace.run(unread).left_input
        assert place.run(python("import os; os.abort()")).exit_code == -6
        assert place.run(python("while True: pass", timeout=1.0)).stop is Stop.TIMEOUT


def test_a_program_that_nobody_reads_ends_as_in_a_shell(sandbox, lent, answering):
    with sandbox.open_workspace(room()) as workspace:
        result = relayed(workspace, lent).run(Command(["sh", "-c", "yes | head -n 1"]))
        assert (result.stdout, result.stderr) == (b"y\n", b"")


def test_a_program_that_is_not_there_is_told_as_without_a_way_out(sandbox, lent, answering):
    with sandbox.open_workspace(room()) as workspace, pytest.raises(FileNotFoundError):
        relayed(workspace, lent).run(Command(["no-such-program"]))


def test_only_the_programs_of_one_command_have_the_way_out(sandbox, lent, answering):
    with sandbox.open_workspace(room()) as workspace:
        relayed(workspace, lent).run(python("pass"))
        assert workspace.run(python("import os; print('PLACE' in os.environ)")).stdout == b"False\n"


def test_a_confined_program_reaches_no_other_port_of_the_machine(lent, answering):
    kind = SANDBOXES["bubblewrap"]
    if kind.obstacle():
        pytest.skip(kind.obstacle())
    with socket.create_server(("127.0.0.1", 0)) as other, kind.open_workspace(room()) as workspace:
        port = other.getsockname()[1]
        result = relayed(workspace, lent).run(python(f"import socket; socket.create_connection(('127.0.0.1', {port}))"))
        assert b"ConnectionRefusedError" in result.stderr


def test_landlock_says_that_it_cannot_let_programs_reach_loopback_alone(lent, answering):
    kind = SANDBOXES["landlock"]
    if kind.obstacle():
        pytest.skip(kind.obstacle())
    with kind.open_workspace(room()) as workspace, pytest.raises(SandboxUnavailable, match="Landlock"):
        relayed(workspace, lent).run(python(ASK))
