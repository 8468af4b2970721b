"""Files as a ZIP that is written while it is sent: no more of it is in memory than one file and the list of names."""

from collections.abc import Iterable, Iterator
from functools import partial
from io import RawIOBase
from typing import IO, TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# Of a file that is read from the disk so much is packed at once.
PIECE = 1 << 20


class Waiting(RawIOBase):
    """What is packed and not sent yet: a stream that cannot be wound back."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: "ReadableBuffer") -> int:
        self.parts.append(bytes(data))
        return len(self.parts[-1])

    def taken(self) -> Iterator[bytes]:
        """What waits, as one piece."""
        parts, self.parts = self.parts, []
        if parts:
            yield b"".join(parts)


def zipped(files: Iterable[tuple[str, bytes | IO[bytes]]]) -> Iterator[bytes]:
    """The ZIP of files by their paths, in pieces as the files come; an open file is read from where it stands."""
    waiting = Waiting()
    with ZipFile(waiting, "w", ZIP_DEFLATED) as archive:
        for path, content in files:
            # What cannot be written as UTF-8 is lost in the name alone.
            name = path.encode("utf-8", "replace").decode()
            if isinstance(content, bytes):
                archive.writestr(name, content)
            else:
                with archive.open(name, "w", force_zip64=True) as entry:
                    for piece in iter(partial(content.read, PIECE), b""):
                        entry.write(piece)
                        yield from waiting.taken()
            yield from waiting.taken()
    yield from waiting.taken()
