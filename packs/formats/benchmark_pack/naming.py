"""What texts of rows name: files and folders below the public or the hidden root (benchmark-pack 4)."""

from collections.abc import Mapping, Sequence

from packs.formats.adapter import Above, Files
from packs.formats.benchmark_pack.header import header_of
from packs.formats.document import Document, NodeKind
from packs.formats.naming import folders_of, is_path
from packs.formats.paths import normal_path

_ROOTS = ("public_files", "hidden_files")
FILES = frozenset(_ROOTS)


def is_read(path: str) -> bool:
    """Whether the bytes of a file say names; see `Namer.is_read`."""
    return False


def names(kind: NodeKind, document: Document, above: Above, files: Files) -> Mapping[str, Sequence[str]]:
    """The files and folders below each root; see `Namer.names`."""
    return {
        sort: _below(root, [*files, *folders_of(files)])
        for sort, root in zip(_ROOTS, header_of(above.pack).roots, strict=True)
    }


def _below(root: str, paths: list[str]) -> list[str]:
    return [path.removeprefix(root) for path in paths if path.startswith(root)]


def path_of(sort: str, kind: NodeKind, document: Document, above: Above, name: str, files: Files) -> str:
    """The file that a path of a row means; see `Namer.path_of`."""
    if not is_path(name) or ".." in name.split("/"):
        return ""
    return header_of(above.pack).roots[_ROOTS.index(sort)] + normal_path(name)
