"""What lies below a folder that programs of an agent could fill as they liked. No link is followed."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Found:
    """One thing below a directory. `name` is relative to it; links are not followed."""

    name: str
    path: str
    status: os.stat_result

    @property
    def is_directory(self) -> bool:
        return stat.S_ISDIR(self.status.st_mode)


def walk(base: Path, *, recursive: bool = True) -> Iterator[Found]:
    """Everything below a directory. What cannot be looked into is left out: agents can make such things."""
    waiting = [("", str(base))]
    while waiting:
        prefix, folder = waiting.pop()
        for found in _children(prefix, folder):
            yield found
            if recursive and found.is_directory:
                waiting.append((f"{found.name}/", found.path))


def _children(prefix: str, folder: str) -> Iterator[Found]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                try:
                    yield Found(prefix + entry.name, entry.path, entry.stat(follow_symlinks=False))
                except FileNotFoundError:
                    continue
    except OSError:
        return


def shown(name: str) -> str:
    """A name as text that can be stored: bytes that are no UTF-8 are replaced."""
    return os.fsencode(name).decode("utf-8", "replace")


def used_in(folder: Path) -> tuple[int, int]:
    """The bytes that what lies below a folder takes up, holes not counted, and how many things that is."""
    sizes = [found.status.st_blocks * 512 for found in walk(folder)]
    return sum(sizes), len(sizes)
