"""Files that a task plants outside of its working directory: programs find them there and cannot change them."""

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from runs.sandbox.contract import PathRefused, Room, SandboxUnavailable

# What programs need from the machine or the kernel; nothing can be put there.
TAKEN = frozenset({"usr", "proc", "sys", "dev", "boot", "bin", "sbin", "lib", "lib32", "lib64", "libx32"})
ETC = PurePosixPath("/etc")
READABLE, PASSABLE, OPEN = 0o444, 0o711, 0o755


def plant(room: Room, folder: Path) -> dict[str, Path]:
    """Put the planted files of a room into a folder beside its workspace.

    Gives where programs are to find each, and where it is. Raises PathRefused and SandboxUnavailable.
    """
    if not room.planted:
        return {}
    check_places(room.planted, room.working_directory)
    found: dict[str, Path] = {}
    try:
        folder.mkdir()
        folder.chmod(PASSABLE)
        for number, (path, content) in enumerate(room.planted.items()):
            found[path] = folder / f"planted-{number}"
            found[path].write_bytes(content)
            found[path].chmod(READABLE)
    except OSError as error:
        raise SandboxUnavailable(f"the planted files cannot be written: {error}") from error
    return found


def check_places(paths: Iterable[str], working_directory: str) -> None:
    """Raises PathRefused where no file can be planted."""
    places = [PurePosixPath(path) for path in paths]
    for place in places:
        if not place.is_absolute() or ".." in place.parts or "\0" in str(place) or len(place.parts) < 3:
            raise PathRefused(
                f"no file can be planted at {str(place)!r}: name a file in a folder, like /run/secrets/key"
            )
        if place.parts[1] in TAKEN:
            raise PathRefused(f"no file can be planted at {str(place)!r}: /{place.parts[1]} belongs to the system")
        others = (PurePosixPath(working_directory), *(other for other in places if other != place))
        if any(other.is_relative_to(place) for other in others):
            raise PathRefused(f"no file can be planted at {str(place)!r}: there is a folder")


def etc_with(planted: Mapping[str, Path], etc: Path, folder: Path) -> Path | None:
    """A copy of the `etc` that programs see, with the files that are planted there; None where there are none.

    Raises SandboxUnavailable.
    """
    own = {path: here for path, here in planted.items() if PurePosixPath(path).is_relative_to(ETC)}
    if not own:
        return None
    made = folder / "etc"
    try:
        shutil.copytree(etc, made, symlinks=True)
        for path, here in own.items():
            target = made / PurePosixPath(path).relative_to(ETC)
            make_open(target.parent)
            if os.path.lexists(target):
                target.unlink()
            shutil.copy2(here, target)
    except OSError as error:
        raise SandboxUnavailable(f"the planted files cannot be written: {error}") from error
    return made


def make_open(folder: Path) -> None:
    """Make a folder, and those above it, that programs of every user may read. Raises OSError."""
    if not folder.is_dir():
        make_open(folder.parent)
        folder.mkdir()
        folder.chmod(OPEN)


def refuse_planted(room: Room) -> None:
    """For sandboxes whose programs see the machine's own folders. Raises SandboxUnavailable."""
    if room.planted:
        raise SandboxUnavailable(
            f"The task plants {next(iter(room.planted))!r} outside of its working directory. This machine's sandbox "
            "cannot do that: bubblewrap and containers can."
        )
