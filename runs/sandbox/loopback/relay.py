"""Start one program with a port on 127.0.0.1 that leads to a Unix socket; run by `python3 -I -S` in a sandbox.

A program in a sandbox has no network, but a loopback of its own, and it may read the folder of the socket. Named on the
command line: that folder, the socket's name, the variable in which the program finds the address of the port, and then
the program. It ends as the program does. Only the standard library: nothing of the studio is in a sandbox.
"""

import os
import select
import signal
import socket
import sys
import threading

CHUNK = 64 * 1024
NOT_STARTED = 127
# Begins the report of a program that could not be started: the number of its error follows.
MARK = "relay-cannot-start"


def main() -> int:
    folder, name, variable, *program = sys.argv[1:]
    listener = socket.create_server(("127.0.0.1", 0))
    os.environ[variable] = f"http://127.0.0.1:{listener.getsockname()[1]}"
    child = os.fork()
    if child == 0:
        listener.close()
        return _start(program)
    # A client that writes to the program must see when nobody reads any more.
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    threading.Thread(target=_accept, args=(listener, os.open(folder, os.O_RDONLY), name), daemon=True).start()
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _start(program: list[str]) -> int:
    # Python ignores them, and programs would inherit that.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(program[0], program)
    except OSError as error:
        os.write(2, f"{MARK} {error.errno}\n".encode())
    return NOT_STARTED


def _accept(listener: socket.socket, folder: int, name: str) -> None:
    while True:
        caller, _ = listener.accept()
        threading.Thread(target=_relay, args=(caller, folder, name), daemon=True).start()


def _relay(caller: socket.socket, folder: int, name: str) -> None:
    """Carry bytes both ways until both sides have ended."""
    with caller, socket.socket(socket.AF_UNIX) as other:
        try:
            # By way of the handle, since the address of a socket may be no longer than 107 bytes.
            other.connect(f"/proc/self/fd/{folder}/{name}")
            _carry({caller: other, other: caller})
        except OSError:
            return


def _carry(ways: dict[socket.socket, socket.socket]) -> None:
    while ways:
        for source in select.select(list(ways), [], [])[0]:
            data = source.recv(CHUNK)
            if data:
                ways[source].sendall(data)
            else:
                ways.pop(source).shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    sys.exit(main())
