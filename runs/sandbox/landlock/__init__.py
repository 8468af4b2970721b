"""The Landlock sandbox: where bubblewrap cannot be had, the kernel itself keeps a program to its files.

Isolation is reduced: programs see that other paths exist, share the numbers of processes with the machine, and an
ordinary user's programs run as the worker's user. Files, sockets, signals and system calls are confined.
"""

import contextlib
import ctypes
import json
import os
import resource
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from runs.sandbox.cgroups import Joining
from runs.sandbox.contract import Command, CommandResult, Isolation, Limits, Room, SandboxUnavailable, Stop
from runs.sandbox.folders import Folder, shared_start
from runs.sandbox.places import Limited, WorkspacePlace, take_place
from runs.sandbox.planting import refuse_planted
from runs.sandbox.processes import Launch, run_process
from runs.sandbox.programs import PATH, check_texts, variables_of
from runs.sandbox.seccomp import AF_INET, AF_INET6, AF_NETLINK, NoFilter, filter_of_calls
from runs.sandbox.walking import used_in

LABEL = "Landlock"
HELP = "The kernel keeps programs to their workspace and the system's programs; weaker than Bubblewrap."
ISOLATION = Isolation.REDUCED
LAUNCHER = Path(__file__).with_name("launcher.py")
READABLE = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/alternatives",
    "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/nsswitch.conf", "/etc/localtime",
    "/etc/services", "/etc/protocols", "/etc/hosts", "/etc/os-release", "/etc/mime.types",
)  # fmt: skip
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
END_SECONDS = 5.0
NOT_STARTED = 125
SIGNAL_CODES = range(129, 160)
# Landlock lets programs connect to every socket that has a path, and no filter of calls can see which one is meant.
FAMILIES_OF_NETWORK = (AF_INET, AF_INET6, AF_NETLINK)


@cache
def obstacle() -> str:
    if landlock_version() < 1:
        return "This kernel has no Landlock, or it is switched off."
    try:
        filter_of_calls()
        with open_workspace(Room()) as workspace:
            result = workspace.run(Command(["/usr/bin/true"], timeout=20))
    except (NoFilter, SandboxUnavailable, OSError) as error:
        return f"It cannot be used on this machine: {error}"
    return "" if result.exit_code == 0 else f"It does not start the smallest program: {result.stderr[-500:]!r}"


def landlock_version() -> int:
    """The kernel's version of Landlock, below 1 where it has none."""
    return int(ctypes.CDLL(None).syscall(444, None, 0, 1))


@contextmanager
def open_workspace(room: Room) -> Iterator["LandlockWorkspace"]:
    """A confined folder of this machine. Raises as the contract says."""
    refuse_planted(room)
    with take_place(room) as place:
        workspace = LandlockWorkspace(place, place.add_scratch())
        workspace.fill()
        yield workspace


@dataclass(slots=True)
class Pipes:
    """Two pipes to the launcher: one for its plan, one on which it tells why the program did not start."""

    plan: tuple[int, int]
    reported: tuple[int, int]
    is_open: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.is_open = {*self.plan, *self.reported}

    @property
    def launchers(self) -> tuple[int, int]:
        """The ends that the launcher inherits."""
        return self.plan[0], self.reported[1]

    def send(self, plan: bytes) -> None:
        """Tell the launcher its plan. One that died already shows by its result."""
        self._close(*self.launchers)
        with contextlib.suppress(BrokenPipeError), open(self.plan[1], "wb", closefd=False) as opened:
            opened.write(plan)
        self._close(self.plan[1])

    def close(self) -> None:
        self._close(*self.is_open)

    def _close(self, *handles: int) -> None:
        for handle in handles:
            self.is_open.discard(handle)
            os.close(handle)


class LandlockWorkspace(Folder):
    """A folder of the host; programs find it where it is, and the task's paths in relative form."""

    def __init__(self, place: WorkspacePlace, scratch: Path) -> None:
        super().__init__(place.work, place.room, owner=place.owner)
        self.place = place
        self.limited = Limited(place)
        self.scratch = scratch

    @property
    def working_directory(self) -> str:
        return str(self.root)

    def run(self, command: Command) -> CommandResult:
        if command.loopback:
            # A program that can reach 127.0.0.1 can reach every host, and one that can reach one socket reaches all.
            raise SandboxUnavailable(
                "Landlock cannot let programs reach 127.0.0.1 alone, and one that may ask models needs it: "
                "install Bubblewrap, or name a container image in the pack"
            )
        variables = self._variables(command)
        check_texts(command.arguments, variables)
        directory = shared_start(command) or self.starting_point(command.directory)
        if command.own_home:
            self.place.renew_scratch()
        plan = json.dumps(self._plan(command, variables, directory)).encode("utf-8", "surrogateescape")
        pipes = Pipes(os.pipe(), os.pipe())
        try:
            return self._run(command, plan, pipes)
        finally:
            pipes.close()
            self.restore()
            if command.own_home:
                self.place.renew_scratch()

    def _run(self, command: Command, plan: bytes, pipes: "Pipes") -> CommandResult:
        self.limited.begin()
        joining = Joining(self.place.group)
        pids: list[int] = []

        def begin(pid: int) -> None:
            pids.append(pid)
            self.place.slot.note_process(pid)
            joining.started(pid)
            pipes.send(plan)

        watch = self.place.watch(lambda: pids[0] if pids else None, self._used)
        handles = (*pipes.launchers, *self.place.slot.lock.others)
        launch = Launch(
            [sys.executable, "-I", "-S", str(LAUNCHER), *map(str, handles)],
            self.root,
            {},
            handles=handles,
            begin=begin,
            look=watch.look,
            grace=END_SECONDS,
        )
        with joining:
            result = run_process(command, launch)
        stop = result.stop or self.limited.stop(result.exit_code)
        return self._described(command, result, stop, pipes.reported[0])

    def _described(self, command: Command, result: CommandResult, stop: Stop, reported: int) -> CommandResult:
        step, _, number = os.read(reported, 100).decode().partition(" ")
        if step == "execute" and not stop:
            raise OSError(int(number), os.strerror(int(number)), command.arguments[0])
        if step and not stop:
            raise SandboxUnavailable(f"cannot confine a program: {os.strerror(int(number))}")
        exit_code = 128 - result.exit_code if result.exit_code in SIGNAL_CODES else result.exit_code
        return replace(result, exit_code=-9 if result.stop else exit_code, stop=stop)

    def _used(self) -> tuple[int, int]:
        """What workspace and temporary folder hold together."""
        size, files = self.used()
        scratch_size, scratch_files = used_in(self.scratch)
        return size + scratch_size, files + scratch_files

    def _variables(self, command: Command) -> dict[str, str]:
        home = self.scratch if command.own_home else self.root
        return {**variables_of(self.room, command, str(home)), "PATH": PATH, "TMPDIR": str(self.scratch)}

    def _plan(self, command: Command, variables: Mapping[str, str], directory: Path) -> dict[str, object]:
        """What the launcher reads."""
        network = self.room.network or command.network
        shared = (*self.room.shared_paths, *command.shared_paths)
        return {
            "parent": os.getpid(),
            "user": self.place.owner,
            "limits": limits_of(self.room.limits, counts_memory=self.place.group is not None),
            "read": [*READABLE, *shared, *(["/etc/resolv.conf"] if network else [])],
            "write": [str(self.root), str(self.scratch), *DEVICES],
            "network": network,
            "filter": filter_of_calls(families=FAMILIES_OF_NETWORK if network else (), has_own_ipc=False).hex(),
            "directory": str(directory),
            "arguments": list(command.arguments),
            "variables": dict(variables),
        }


def limits_of(limits: Limits, *, counts_memory: bool) -> Sequence[tuple[int, int]]:
    """The limits of each process as pairs for `setrlimit`."""
    reported = [
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_CPU, limits.cpu_seconds),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CORE, 0),
    ]
    if os.geteuid() == 0:
        # The user is this workspace's own; an ordinary user's number counts everything that the user runs.
        reported.append((resource.RLIMIT_NPROC, limits.processes))
    return reported if counts_memory else [*reported, (resource.RLIMIT_DATA, limits.memory_bytes)]
