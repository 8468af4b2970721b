"""The arguments of bubblewrap: which part of the machine programs see, and as whom they run."""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path, PurePosixPath

from runs.sandbox.bubblewrap.etc import NOBODY, folder_of_etc
from runs.sandbox.bubblewrap.modes import Mode
from runs.sandbox.contract import Command, PathRefused, Room, SandboxUnavailable
from runs.sandbox.programs import PATH

SYSTEM = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
# A working directory may not hide or lie in what programs need from the machine.
TAKEN_WHOLE = ("usr", "etc", "proc", "sys", "dev", "boot", *SYSTEM)
TAKEN_TOP = ("/", "/tmp", "/run", "/var", "/root", "/home", "/opt", "/mnt", "/srv")
NAMESPACES = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
DROP_USER = ("--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all")


@dataclass(frozen=True, slots=True)
class Inside:
    """What does not change from command to command: the room, and the folder that is its working directory.

    `planted` says where on the machine the room's planted files are, `etc` what stands for `/etc` with those in it.
    """

    mode: Mode
    room: Room
    work: Path
    user: int
    planted: Mapping[str, Path] = field(default_factory=dict)
    etc: Path | None = None

    def beside(self, command: Command) -> "Inside":
        """The same, with what one command may see and reach beside what the room gives."""
        if not command.shared_paths and not command.network:
            return self
        shared = (*self.room.shared_paths, *command.shared_paths)
        network = self.room.network or command.network
        return replace(self, room=replace(self.room, shared_paths=shared, network=network))

    def arguments(self, locked: Iterable[str]) -> list[str]:
        """All options but those of one command. `locked` are paths of read-only files, relative to `work`."""
        if self.mode is Mode.USER and (os.getuid() == 0 or os.geteuid() == 0):
            raise SandboxUnavailable("bubblewrap must not make a user namespace for root: it would stay root outside")
        return [
            *_namespaces(self.mode, network=self.room.network),
            *_machine(),
            *(("--ro-bind", str(self.etc), "/etc") if self.etc else ()),
            *_devices(self.room.limits.scratch_bytes),
            *_network(self.room),
            *_shared(self.room.shared_paths),
            *_planted(self.planted),
            *self._workspace(locked),
            *_rights(self.mode),
        ]

    def program(self, arguments: Iterable[str]) -> list[str]:
        """The program with what makes it the right user."""
        if self.mode is Mode.USER:
            return list(arguments)
        identity = ("--reuid", str(self.user), "--regid", str(self.user))
        return [where("setpriv"), *identity, *DROP_USER, "--", *arguments]

    def _workspace(self, locked: Iterable[str]) -> Iterator[str]:
        inside = PurePosixPath(self.room.working_directory)
        yield from _parents(inside)
        yield from ("--bind", str(self.work), str(inside))
        for path in locked:
            yield from ("--ro-bind", str(self.work / path), str(inside / path))

    def locate(self, path: str) -> Path | None:
        """Where on the machine a path lies that programs see; None for what only the sandbox has."""
        pure = PurePosixPath(path)
        inside = PurePosixPath(self.room.working_directory)
        if not pure.is_absolute():
            return self.work / pure
        if pure.is_relative_to(inside):
            return self.work / pure.relative_to(inside)
        seen = ("/usr", *(f"/{name}" for name in SYSTEM), *self.room.shared_paths)
        return Path(pure) if any(pure.is_relative_to(top) for top in seen) else None


def check_directory(working_directory: str) -> None:
    """Raises PathRefused for a working directory that no confined program can have."""
    pure = PurePosixPath(working_directory)
    if not pure.is_absolute() or ".." in pure.parts or "\0" in working_directory:
        raise PathRefused(f"the working directory {working_directory!r} must be an absolute path")
    if str(pure) in TAKEN_TOP or pure.parts[1] in TAKEN_WHOLE:
        raise PathRefused(
            f"the working directory {working_directory!r} is taken by the system; /workspace or any folder "
            "of a name of its own can be used"
        )


def options_of_command(directory: str, variables: Mapping[str, str]) -> Iterator[str]:
    """Where the program starts and its environment."""
    yield from ("--chdir", directory, "--clearenv")
    for name, value in variables.items():
        yield from ("--setenv", name, value)


def _namespaces(mode: Mode, *, network: bool) -> Iterator[str]:
    if mode is Mode.USER:
        yield from ("--unshare-user", "--disable-userns", "--uid", str(NOBODY), "--gid", str(NOBODY))
    yield from NAMESPACES
    if not network:
        yield "--unshare-net"
    yield from ("--hostname", "sandbox", "--die-with-parent", "--new-session")


@cache
def where(program: str) -> str:
    """The place of a program of the machine. Raises SandboxUnavailable."""
    found = shutil.which(program, path=PATH)
    if found is None:
        raise SandboxUnavailable(f"the program {program} is not installed")
    return found


@cache
def _machine() -> tuple[str, ...]:
    """The programs and libraries of the machine, read-only."""
    reported = ["--ro-bind", "/usr", "/usr"]
    for name in SYSTEM:
        path = Path("/", name)
        if path.is_symlink():
            reported += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            reported += ["--ro-bind", str(path), str(path)]
    return (*reported, "--ro-bind", str(folder_of_etc()), "/etc")


def _devices(scratch: int) -> Iterator[str]:
    yield from ("--proc", "/proc", "--dev", "/dev")
    for folder in ("/tmp", "/dev/shm"):
        yield from ("--size", str(scratch), "--perms", "1777", "--tmpfs", folder)


def _network(room: Room) -> Iterator[str]:
    if room.network:
        for name in ("resolv.conf", "hosts"):
            yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")


def _shared(paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        if not PurePosixPath(path).is_relative_to("/usr"):
            yield from _parents(PurePosixPath(path))
            yield from ("--ro-bind-try", path, path)


def _planted(planted: Mapping[str, Path]) -> Iterator[str]:
    for path, here in planted.items():
        if not PurePosixPath(path).is_relative_to("/etc"):
            yield from _parents(PurePosixPath(path))
            yield from ("--ro-bind", str(here), path)


def _parents(path: PurePosixPath) -> Iterator[str]:
    """Directories above a mount, open for all to pass: bubblewrap itself would make them for root alone."""
    for parent in reversed(path.parents):
        if len(parent.parts) > 1 and str(parent) != "/tmp":
            yield from ("--perms", "0755", "--dir", str(parent))


def _rights(mode: Mode) -> Iterator[str]:
    yield from ("--cap-drop", "ALL")
    if mode is Mode.ROOT:
        for name in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            yield from ("--cap-add", name)
    else:
        # The program owns the sandbox's own file systems, which have no size.
        yield from ("--remount-ro", "/dev", "--remount-ro", "/")
