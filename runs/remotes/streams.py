"""What git reads and what it answers, as bytes (git-cat-file(1), git-ls-tree(1), git-fast-import(1))."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from packs.remotes import Signature

FILE, PROGRAM = "100644", "100755"
# What ends a name in the header of a commit.
NO_NAME = re.compile(r"[<>\x00-\x1f\x7f]+")
COMMITTER = "Packwright <packwright@localhost>"


@dataclass(frozen=True, slots=True)
class Entry:
    """One path of a tree with its mode, the id of its content, and its size in bytes (0 for what has none)."""

    path: str
    mode: str
    name: str
    size: int

    @property
    def is_file(self) -> bool:
        return self.mode in (FILE, PROGRAM)


def entries(listing: bytes) -> Iterator[Entry]:
    """The entries of `git ls-tree -r -z -l`. Raises UnicodeDecodeError for a path that is not UTF-8."""
    for line in filter(None, listing.split(b"\0")):
        about, _, path = line.partition(b"\t")
        mode, _, name, size = about.decode().split()
        yield Entry(path.decode(), mode, name, int(size) if size.isdigit() else 0)


def contents(answer: bytes, count: int) -> Iterator[bytes]:
    """The contents that `git cat-file --batch` gives, in the order in which they were asked for."""
    start = 0
    for _ in range(count):
        end = answer.index(b"\n", start)
        size = int(answer[start:end].rpartition(b" ")[2])
        yield answer[end + 1 : end + 1 + size]
        start = end + 1 + size + 1


def commit(
    base: str,
    branch: str,
    changes: Mapping[str, bytes | None],
    modes: Mapping[str, str],
    by: Signature,
    seconds: int,
) -> bytes:
    """The stream that makes one commit after `base`, or the first of a branch where that is empty.

    `changes` are new bytes by path, None for what goes; `modes` are those that files have already. `seconds` is the
    moment of the commit since 1970.
    """
    author = f"{' '.join(NO_NAME.sub(' ', by.name).split())} <{NO_NAME.sub('', by.email)}>"
    head = f"commit refs/heads/{branch}\nauthor {author} {seconds} +0000\ncommitter {COMMITTER} {seconds} +0000\n"
    parts = [head.encode(), _data(by.message.strip().encode() + b"\n")]
    if base:
        parts.append(f"from {base}\n".encode())
    # What goes comes first: a file may go where a folder comes.
    parts += [f"D {_quoted(path)}\n".encode() for path, content in sorted(changes.items()) if content is None]
    for path, content in sorted(changes.items()):
        if content is not None:
            parts += [f"M {modes.get(path, FILE)} inline {_quoted(path)}\n".encode(), _data(content)]
    return b"".join([*parts, b"done\n"])


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def below(folder: str, path: str) -> str:
    """A path of the repository for one below a folder of it."""
    return f"{folder}/{path}" if folder else path


def within(folder: str, found: Sequence[Entry]) -> dict[str, Entry]:
    """The entries below a folder, by their paths from there."""
    start = f"{folder}/" if folder else ""
    return {entry.path.removeprefix(start): entry for entry in found if entry.path.startswith(start)}
