"""The files that an image has at the working directory, copied into a workspace."""

import tarfile
from collections import deque
from collections.abc import Iterable, Iterator
from typing import IO, Protocol, cast

from docker.errors import NotFound

from runs.sandbox.container.engine import Client
from runs.sandbox.contract import FileContent, PathRefused, Room, WorkspaceFull


class Copied(Protocol):
    """What takes the files over."""

    room: Room

    def read_file(self, path: str, max_bytes: int) -> FileContent | None:
        """A file that was put before."""

    def place_file(self, path: str, content: bytes, mode: int) -> None:
        """Put a file."""

    def place_link(self, path: str, target: str) -> None:
        """Put a symbolic link."""

    def make_directory(self, path: str) -> None:
        """Make a directory."""


def copy_from_image(client: Client, workspace: Copied) -> None:
    """Fill a workspace with what the image has at its working directory; nothing where the image has none.

    Raises WorkspaceFull for more than the workspace may hold. Devices, pipes and names that climb are left out.
    """
    room = workspace.room
    container = client.containers.create(room.image, ["true"], network_mode="none")
    try:
        pieces, _ = container.get_archive(room.working_directory)
        with tarfile.open(fileobj=cast("IO[bytes]", Pieces(pieces)), mode="r|") as archive:
            copy(archive, workspace)
        # The connection is free for others only when nothing is left to read.
        deque(pieces, maxlen=0)
    except NotFound:
        return
    finally:
        container.remove(force=True)


def copy(archive: tarfile.TarFile, workspace: Copied) -> None:
    """Copy an archive whose names begin with the directory's own name."""
    limits = workspace.room.limits
    size = count = 0
    for member in archive:
        _, _, name = member.name.partition("/")
        size, count = size + member.size, count + 1
        if size > limits.disk_bytes or count > limits.inodes:
            raise WorkspaceFull(f"The image's files do not fit into the workspace of {limits.disk_bytes} bytes.")
        if name and not name.startswith("/") and ".." not in name.split("/"):
            put(archive, member, name, workspace)


def put(archive: tarfile.TarFile, member: tarfile.TarInfo, name: str, workspace: Copied) -> None:
    """Copy one member; a file that a link stands in the way of is left out."""
    try:
        if member.isdir():
            workspace.make_directory(name)
        elif member.issym():
            workspace.place_link(name, member.linkname)
        elif member.islnk():
            put_again(member, name, workspace)
        elif member.isfile():
            opened = archive.extractfile(member)
            workspace.place_file(name, opened.read() if opened else b"", member.mode & 0o755)
    except PathRefused:
        return


def put_again(member: tarfile.TarInfo, name: str, workspace: Copied) -> None:
    """Copy a second name of a file that came before."""
    _, _, first = member.linkname.partition("/")
    found = workspace.read_file(first, workspace.room.limits.file_bytes)
    if found is not None:
        workspace.place_file(name, found.content, member.mode & 0o755)


class Pieces:
    """Pieces of bytes as a file that can only be read forward."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.pieces: Iterator[bytes] = iter(pieces)
        self.rest = b""

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes, fewer only at the end."""
        found = [self.rest]
        length = len(self.rest)
        while size < 0 or length < size:
            piece = next(self.pieces, b"")
            if not piece:
                break
            found.append(piece)
            length += len(piece)
        data = b"".join(found)
        self.rest = data[size:] if size >= 0 else b""
        return data[:size] if size >= 0 else data
