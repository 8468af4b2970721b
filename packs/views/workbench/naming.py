"""The files of a draft as a node names them, and what they list: what pickers of the workbench offer besides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from packs import blobs
from packs.formats.abilities import NAMERS, Namer
from packs.formats.adapter import Above
from packs.formats.document import Document, NodeKind

# So many files at most are offered, and so many of them read, none larger than MAX_BYTES.
MAX_FILES, MAX_READ, MAX_BYTES = 2000, 20, 1_000_000
NOUN = "file"


@dataclass(frozen=True, slots=True)
class Naming:
    """How one node names files; `files` are those of the pack by path, with the bytes of those that are read."""

    namer: Namer
    kind: NodeKind
    document: Document
    above: Above
    files: Mapping[str, bytes]

    def names(self) -> Mapping[str, Sequence[str]]:
        """What the node can name, by sort."""
        return self.namer.names(self.kind, self.document, self.above, dict(self.files))

    def path_of(self, sort: str, name: str) -> str:
        """The path of the file that a name means; empty for what is no file's name."""
        return self.namer.path_of(sort, self.kind, self.document, self.above, name, dict(self.files))

    def is_new(self, sort: str, name: str) -> bool:
        """Whether a name is that of a file which is not there, and no folder of such."""
        path = self.path_of(sort, name)
        return bool(path) and not any(each == path or each.startswith(f"{path}/") for each in self.files)


def naming_of(
    format_name: str,
    kind: NodeKind,
    document: Document,
    above: Above,
    rows: Sequence[tuple[str, str, int]],
) -> Naming | None:
    """How a node names files, which are the `rows`: paths, digests and sizes. None in formats whose nodes name none by
    their paths."""
    namer = NAMERS.get(format_name)
    if namer is None:
        return None
    wanted = [(path, blob) for path, blob, size in rows if blob and size <= MAX_BYTES and namer.is_read(path)]
    files = {path: b"" for path, *_ in rows} | {path: _read(blob) for path, blob in wanted[:MAX_READ]}
    return Naming(namer, kind, document, above, files)


def _read(digest: str) -> bytes:
    """The bytes of a file; none where the storage has lost them."""
    try:
        return blobs.read(digest)
    except FileNotFoundError:
        return b""
