"""Set the scene for attacks: a secret on this machine in all the places where a program could look for it."""

import ctypes
import os
import secrets
import select
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from runs.sandbox.attacks.contract import Scene
from runs.sandbox.victims import open_victim

# For everybody, and only if nobody else has that number (sys/ipc.h).
MADE, REMOVE = 0o3666, 0


@contextmanager
def open_scene(extra_files: tuple[str, ...] = ()) -> Iterator[Scene]:
    """A scene that lasts as long as the attacks. `extra_files` are real files that no program should read."""
    token = secrets.token_hex(16)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="packwright-doctor-")))
        # Open to everybody: what keeps a program out must be the sandbox, not a mode.
        folder.chmod(0o777)
        for name in ("secret", "victim"):
            (folder / name).write_text(token)
            (folder / name).chmod(0o666)
        name = f"packwright-{token[:12]}"
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        paths = {kind: str(folder / kind) for kind in ("stream", "datagram")}
        _listen(stack, f"\0{name}")
        _listen(stack, paths["stream"])
        _listen(stack, paths["datagram"], socket.SOCK_DGRAM)
        yield Scene(
            token=token,
            secret_file=str(folder / "secret"),
            victim_file=str(folder / "victim"),
            process=stack.enter_context(open_victim({"PACKWRIGHT_DOCTOR": token})),
            tcp_port=tcp.getsockname()[1],
            udp_port=udp.getsockname()[1],
            abstract_name=name,
            stream_path=paths["stream"],
            datagram_path=paths["datagram"],
            number=stack.enter_context(_shared_by_number(token)),
            has_packet=lambda: bool(select.select([udp], [], [], 0.2)[0] and udp.recv(100)),
            extra_files=(*extra_files, f"/proc/{os.getpid()}/environ"),
        )


def _listen(stack: ExitStack, address: str, kind: socket.SocketKind = socket.SOCK_STREAM) -> None:
    """A socket at a path, which everybody may use, or under an abstract name."""
    opened = stack.enter_context(socket.socket(socket.AF_UNIX, kind))
    opened.bind(address)
    if kind is socket.SOCK_STREAM:
        opened.listen()
    if not address.startswith("\0"):
        os.chmod(address, 0o666)


@contextmanager
def _shared_by_number(token: str) -> Iterator[int]:
    """The number of memory with this content, of messages and of semaphores. Where the kernel has none, of nothing."""
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    number = secrets.randbelow(2**30) + 1
    memory, messages = libc.shmget(number, len(token), MADE), libc.msgget(number, MADE)
    semaphores = libc.semget(number, 1, MADE)
    try:
        if memory >= 0:
            address = ctypes.c_void_p(libc.shmat(memory, None, 0))
            ctypes.memmove(address, token.encode(), len(token))
            libc.shmdt(address)
        yield number
    finally:
        libc.shmctl(memory, REMOVE, None)
        libc.msgctl(messages, REMOVE, None)
        libc.semctl(semaphores, 0, REMOVE)
