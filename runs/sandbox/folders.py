"""The files of a workspace that is a directory of the worker's machine.

Programs of an agent made what lies there, so no link is trusted: what a path leads to counts only where it lies in the
workspace behind all links, and a file with a second name somewhere else is not read.
"""

import contextlib
import errno
import hashlib
import os
import stat
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from runs.sandbox.contract import (
    MAX_LISTED_ENTRIES,
    MAX_SNAPSHOT_FILES,
    Changes,
    Command,
    Entry,
    FileContent,
    FileState,
    PathRefused,
    Room,
    SandboxUnavailable,
    Snapshot,
    WorkspaceFull,
    changes_between,
)
from runs.sandbox.opening import open_up, unlock
from runs.sandbox.removal import remove_folder
from runs.sandbox.walking import Found, shown, used_in, walk

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
IN_THE_WAY = (errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ELOOP, errno.ENAMETOOLONG)
# A file may have holes: what is read for a snapshot can be more than what the disk holds, but not without end.
SNAPSHOT_FACTOR = 2


def shared_start(command: Command) -> Path | None:
    """Where a command starts that does so in one of its shared paths; None for one that starts in the workspace.

    Raises FileNotFoundError where there is no such directory.
    """
    directory = PurePosixPath(command.directory)
    if ".." in directory.parts or not any(directory.is_relative_to(path) for path in command.shared_paths):
        return None
    if not Path(directory).is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such directory", command.directory)
    return Path(directory)


class Folder:
    """The directory `root`, which stands for the room's working directory. New files belong to user `owner`."""

    def __init__(self, root: Path, room: Room, owner: int | None = None) -> None:
        self.root = root
        self.room = room
        self.owner = owner
        self.base = PurePosixPath(room.working_directory)
        self.seals: dict[str, tuple[int, ...]] = {}
        self.mode = self._mode_of_top()

    @property
    def working_directory(self) -> str:
        return self.room.working_directory

    def fill(self) -> None:
        """Put the room's files in their places. Raises PathRefused, WorkspaceFull and SandboxUnavailable."""
        total = sum(map(len, self.room.files.values()))
        if total > self.room.limits.disk_bytes:
            raise WorkspaceFull(f"The task's files hold {total} bytes, the workspace {self.room.limits.disk_bytes}.")
        for path, content in self.room.files.items():
            if path in self.room.read_only:
                self._lock(path, content)
            else:
                self._put(path, content, self._mode(path), self.owner)

    def restore(self) -> None:
        """Make again what programs may not undo: the folder with its rights, and every read-only file as it was."""
        if self.root.is_symlink() or not self.root.is_dir():
            self._renew()
        elif self._mode_of_top() & self.mode != self.mode:
            self.root.chmod(self._mode_of_top() | self.mode)
        broken = [path for path, seal in self.seals.items() if _seal(self.locate(path)) != seal]
        if broken:
            self.open_up()
        for path in broken:
            # In a workspace that a program filled to the brim the file stays missing.
            with contextlib.suppress(WorkspaceFull):
                self._clear_way(path)
                self._lock(path, self.room.files[path])

    def open_up(self) -> None:
        if self.owner is None:
            unlock(self.root)
        open_up(self.root)
        # Some sandboxes change into it before they become its owner.
        self.root.chmod(self._mode_of_top() | self.mode)

    def put_back(self, files: Mapping[str, bytes]) -> tuple[str, ...]:
        self.open_up()
        limit = self.room.limits.disk_bytes
        missing = [path for path, content in files.items() if not self._is_given(path, content)]
        for path in missing:
            self._clear_way(path)
            if self.used()[0] + len(files[path]) > limit:
                raise WorkspaceFull(f"{path!r} does not fit: the workspace holds {limit} bytes.")
            self._put(path, files[path], self._mode(path), self.owner)
        return tuple(missing)

    def starting_point(self, directory: str) -> Path:
        """Where a program starts. Raises PathRefused, and FileNotFoundError where there is no such directory."""
        if directory == ".":
            return self.root
        found = self._inside(directory)
        if found is None or not found.is_dir():
            raise FileNotFoundError(errno.ENOENT, "there is no such directory in the workspace", directory)
        return found

    def locate(self, path: str) -> Path:
        """The place on the host. Raises PathRefused for a path outside the working directory."""
        pure = PurePosixPath(path)
        if pure.is_absolute():
            if not pure.is_relative_to(self.base):
                raise PathRefused(f"{path!r} lies outside {self.base}")
            pure = pure.relative_to(self.base)
        if ".." in pure.parts or "\0" in path:
            raise PathRefused(f"{path!r} leaves the working directory")
        return self.root / pure

    def read_file(self, path: str, max_bytes: int) -> FileContent | None:
        target = self._inside(path)
        handle = None if target is None else _open_regular(target)
        if handle is None:
            return None
        with os.fdopen(handle, "rb") as opened:
            status = os.fstat(handle)
            if not self._has_all_names(status):
                return None
            return FileContent(opened.read(max_bytes), status.st_size)

    def list_directory(self, path: str, *, recursive: bool) -> list[Entry] | None:
        target = self._inside(path)
        if target is None or not target.is_dir():
            return None
        listed: list[Entry] = []
        for found in walk(target, recursive=recursive):
            listed.append(Entry(shown(found.name), found.status.st_size, found.is_directory))
            if len(listed) > MAX_LISTED_ENTRIES:
                break
        return sorted(listed, key=lambda entry: entry.path)[:MAX_LISTED_ENTRIES]

    def write_file(self, path: str, content: bytes, *, executable: bool = False) -> None:
        if self._is_locked(path):
            raise PathRefused(f"{path!r} is read-only")
        limit = self.room.limits.disk_bytes
        if len(content) > self.room.limits.file_bytes or self.used()[0] + len(content) > limit:
            raise WorkspaceFull(f"{path!r} does not fit: the workspace holds {limit} bytes.")
        self._put(path, content, 0o755 if executable else 0o644, self.owner)

    def make_directory(self, path: str) -> None:
        try:
            self._make(self._nearest(path))
        except OSError as error:
            raise _meaning(error, path) from error

    def delete(self, path: str) -> bool:
        target = self.locate(path)
        if target == self.root:
            raise PathRefused("the working directory itself stays")
        parent = self._inside(str(self.base / target.parent.relative_to(self.root)))
        if parent is None or not os.path.lexists(parent / target.name):
            return False
        if any(self._is_below(locked, path) for locked in self.room.read_only):
            raise PathRefused(f"{path!r} is read-only or holds something that is")
        try:
            _remove(parent / target.name)
        except OSError as error:
            raise _meaning(error, path) from error
        return True

    def paths(self) -> list[str]:
        return [shown(found.name) for found in walk(self.root) if not found.is_directory]

    def snapshot(self) -> Snapshot:
        files = [found for found in walk(self.root) if not found.is_directory]
        size = sum(found.status.st_size for found in files)
        if len(files) > MAX_SNAPSHOT_FILES or size > SNAPSHOT_FACTOR * self.room.limits.disk_bytes:
            raise WorkspaceFull(f"The workspace holds {len(files)} files of {size} bytes, too much to compare.")
        names = Counter((found.status.st_dev, found.status.st_ino) for found in files)
        return {
            shown(found.name): FileState(
                found.status.st_size,
                _digest(found, names[found.status.st_dev, found.status.st_ino]),
                found.status.st_mode,
            )
            for found in files
        }

    def changes(self, before: Snapshot) -> Changes:
        return changes_between(before, self.snapshot())

    def used(self) -> tuple[int, int]:
        """The bytes that the files take up, holes not counted, and how many things there are."""
        return used_in(self.root)

    def _mode(self, path: str) -> int:
        return 0o755 if path in self.room.executable else 0o644

    def _lock(self, path: str, content: bytes) -> None:
        self._put(path, content, self._mode(path) & 0o555, None)
        self.seals[path] = _seal(self.locate(path))

    def _mode_of_top(self) -> int:
        return stat.S_IMODE(self.root.stat().st_mode)

    def _renew(self) -> None:
        """Make the folder anew that a program removed, or put something else in the place of."""
        try:
            if os.path.lexists(self.root):
                self.root.unlink()
            self.root.mkdir(mode=self.mode)
        except OSError as error:
            raise SandboxUnavailable(f"cannot make the workspace again: {error}") from error

    def _is_given(self, path: str, content: bytes) -> bool:
        """Whether a file is there as it was given: no link stands for it or for a folder above it."""
        if self._is_locked(path):
            return True
        target = self.locate(path)
        try:
            status = target.lstat()
            is_plain = stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and status.st_size == len(content)
            return is_plain and target.resolve(strict=True) == target and target.read_bytes() == content
        except OSError:
            return False

    def _clear_way(self, path: str) -> None:
        """Remove what a program put in the place of a file or of a directory above it."""
        place = self.root
        try:
            for step in self.locate(path).relative_to(self.root).parts:
                place = place / step
                if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
                    place.unlink()
            if place.is_dir():
                _remove(place)
        except OSError as error:
            raise _meaning(error, path) from error

    def _is_locked(self, path: str) -> bool:
        target = self.locate(path)
        return any(self.locate(locked) == target for locked in self.room.read_only)

    def _is_below(self, locked: str, path: str) -> bool:
        return self.locate(locked).is_relative_to(self.locate(path))

    def _inside(self, path: str) -> Path | None:
        """The place behind all links, None where that is outside or not there."""
        try:
            real = self.locate(path).resolve(strict=True)
        except (OSError, RuntimeError):
            return None
        return real if real.is_relative_to(self.root) else None

    def _nearest(self, path: str) -> Path:
        """A place that may be made: its part that is there lies in the workspace. Raises PathRefused."""
        target = self.locate(path)
        there = target
        while not os.path.lexists(there):
            there = there.parent
        try:
            real = there.resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise PathRefused(f"{path!r} leads nowhere") from error
        if not real.is_relative_to(self.root):
            raise PathRefused(f"{path!r} leads out of the workspace")
        return real / target.relative_to(there)

    def _put(self, path: str, content: bytes, mode: int, owner: int | None) -> None:
        target = self._nearest(path)
        if target == self.root:
            raise PathRefused(f"{path!r} is the working directory")
        try:
            self._make(target.parent)
            if os.path.lexists(target):
                os.unlink(target)
            handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
            with os.fdopen(handle, "wb") as opened:
                os.fchmod(handle, mode)
                if owner is not None:
                    os.fchown(handle, owner, owner)
                opened.write(content)
        except OSError as error:
            raise _meaning(error, path) from error

    def _make(self, folder: Path) -> None:
        # Not by calling itself: an agent's folders can be nested deeper than Python descends.
        missing = []
        while not folder.is_dir():
            missing.append(folder)
            folder = folder.parent
        for made in reversed(missing):
            made.mkdir()
            made.chmod(0o755)
            if self.owner is not None:
                os.chown(made, self.owner, self.owner)

    def _has_all_names(self, status: os.stat_result) -> bool:
        """Whether every name of a file lies in the workspace: a hard link can bring in a file of the machine."""
        return status.st_nlink == 1 or self._names_of(status, walk(self.root)) >= status.st_nlink

    def _names_of(self, status: os.stat_result, files: Iterable[Found]) -> int:
        identity = (status.st_dev, status.st_ino)
        return sum((found.status.st_dev, found.status.st_ino) == identity for found in files)


def _seal(target: Path) -> tuple[int, ...]:
    """What changes whenever a file does; empty when it is not there."""
    try:
        status = target.lstat()
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _open_regular(target: Path) -> int | None:
    """An open regular file. Opened without waiting: a pipe that an agent left has no other end."""
    try:
        handle = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    return None


def _digest(found: Found, names: int) -> str:
    """The digest of a file or of a link's target; empty for what is neither, or cannot or must not be read."""
    if stat.S_ISLNK(found.status.st_mode):
        return hashlib.sha256(os.fsencode(os.readlink(found.path))).hexdigest()
    if not stat.S_ISREG(found.status.st_mode) or found.status.st_nlink > names:
        return ""
    handle = _open_regular(Path(found.path))
    if handle is None:
        return ""
    with os.fdopen(handle, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _remove(target: Path) -> None:
    if target.is_symlink() or not target.is_dir():
        target.unlink()
    else:
        remove_folder(target)


def _meaning(error: OSError, path: str) -> Exception:
    """What a failed change of files is to the caller."""
    if error.errno in NO_ROOM:
        return WorkspaceFull(f"{path!r} does not fit into the workspace: {error.strerror}.")
    if error.errno in IN_THE_WAY:
        return PathRefused(f"{path!r}: something of another kind is in the way ({error.strerror})")
    return SandboxUnavailable(f"cannot change the workspace: {error}")
