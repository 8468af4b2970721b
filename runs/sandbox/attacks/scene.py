"""Set the scene for attacks: a secret on this machine in all the places where a program could look for it."""

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
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0{name}")
        abstract.listen()
        yield Scene(
            token=token,
            secret_file=str(folder / "secret"),
            victim_file=str(folder / "victim"),
            process=stack.enter_context(open_victim({"PACKWRIGHT_DOCTOR": token})),
            tcp_port=tcp.getsockname()[1],
            udp_port=udp.getsockname()[1],
            abstract_name=name,
            has_packet=lambda: bool(select.select([udp], [], [], 0.2)[0] and udp.recv(100)),
            extra_files=(*extra_files, f"/proc/{os.getpid()}/environ"),
        )
