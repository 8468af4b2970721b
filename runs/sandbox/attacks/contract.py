"""What an attack is: a program that says what it got, and a look from outside at what it left."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, fields

from runs.sandbox.contract import MEBIBYTE, CommandResult, Limits, Stop, Workspace

SMALL = Limits(
    memory_bytes=160 * MEBIBYTE,
    processes=40,
    disk_bytes=16 * MEBIBYTE,
    inodes=500,
    scratch_bytes=8 * MEBIBYTE,
    file_bytes=8 * MEBIBYTE,
)
GOT, END = "GOT ", "END"

# What each program begins with. It gets the scene, tries things, and says what succeeded. What got past a limit is
# held for HOLD seconds: where a limit is only watched, a busy machine looks late.
OPENING = """
import ctypes, json, os, signal, socket, sys, time
HOLD = 10
scene = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)

def got(what):
    print("GOT " + what, flush=True)

def attempt(what, act, *given):
    try:
        act(*given)
    except (OSError, MemoryError):
        return
    got(what)
"""
CLOSING = """
print("END", flush=True)
"""


@dataclass(frozen=True, slots=True)
class Scene:
    """What there is on the machine to get: a secret in a file, in an environment, behind sockets; places to write.

    `token` is that secret, and a word by which processes of the attack are found. Under `number` memory that holds it,
    messages and semaphores of System V can be had.
    """

    token: str
    secret_file: str
    victim_file: str
    process: int
    tcp_port: int
    udp_port: int
    abstract_name: str
    stream_path: str
    datagram_path: str
    number: int
    extra_files: tuple[str, ...] = ()
    has_packet: Callable[[], bool] = lambda: False

    def as_argument(self) -> str:
        """The scene without the secret itself, which a program must find."""
        hidden = ("token", "has_packet")
        reported = {found.name: getattr(self, found.name) for found in fields(self) if found.name not in hidden}
        return json.dumps({**reported, "mark": self.mark})

    @property
    def mark(self) -> str:
        return f"marked-{self.token[:12]}"


Judge = Callable[[Scene, Workspace, CommandResult], str]


def by_what_it_says(scene: Scene, workspace: Workspace, result: CommandResult) -> str:
    """What the program says that it got. One that a limit stopped got nothing more than it said before."""
    text = result.stdout.decode("utf-8", "replace")
    found = [line.removeprefix(GOT) for line in text.splitlines() if line.startswith(GOT)]
    if scene.token in text:
        found.append("the secret")
    if not found and END not in text and result.stop is Stop.NONE and result.exit_code >= 0:
        found.append(f"nothing can be said: {result.stderr[-300:].decode('utf-8', 'replace').strip()}")
    return ", ".join(found)


@dataclass(frozen=True, slots=True)
class Attack:
    """`title` names what is tried, `body` is the program without its opening; `judge` says what it got."""

    key: str
    title: str
    body: str
    limits: Limits = field(default_factory=lambda: SMALL)
    seconds: float = 15.0
    judge: Judge = by_what_it_says

    @property
    def code(self) -> str:
        return OPENING + self.body + CLOSING
