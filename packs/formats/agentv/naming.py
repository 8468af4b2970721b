"""What texts of suites and tests name: files, as seen from the suite's folder or one above it, and targets."""

from collections.abc import Mapping, Sequence
from posixpath import dirname

from packs.formats.adapter import Above, Files
from packs.formats.agentv.context import Around
from packs.formats.agentv.layout import candidates, search_roots
from packs.formats.agentv.targets import targets_of, tells_of_judges
from packs.formats.document import Document, NodeKind
from packs.formats.naming import folders_of, is_path

# Scripts are arguments of commands: there a word with a dot in it is no path yet.
FILES = frozenset({"files", "scripts"})


def is_read(path: str) -> bool:
    """Whether the bytes of a file say names: targets; see `Namer.is_read`."""
    return tells_of_judges(path)


def names(kind: NodeKind, document: Document, above: Above, files: Files) -> Mapping[str, Sequence[str]]:
    """The files, folders and targets that a suite or a test of it can name; see `Namer.names`."""
    suite, folder = _suite(kind, document, above), _folder(kind, document, above)
    seen = [_seen(folder, path) for path in files]
    around = Around(suite, folder, files.__contains__, {path: data for path, data in files.items() if data})
    return {
        "files": seen,
        "scripts": [path if path.startswith("../") else f"./{path}" for path in seen],
        "folders": [_seen(folder, path) for path in folders_of(files)],
        "targets": [*targets_of(around).known],
    }


def path_of(sort: str, kind: NodeKind, document: Document, above: Above, name: str, files: Files) -> str:
    """The file that a path of a suite or a test means; see `Namer.path_of`."""
    if not is_path(name) or (sort == "scripts" and "/" not in name):
        return ""
    meant = list(candidates(_folder(kind, document, above), name))
    return next((path for path in meant if path in files), next(iter(meant), ""))


def _suite(kind: NodeKind, document: Document, above: Above) -> Document:
    return document if kind is NodeKind.INPUT_SET else above.input_set


def _folder(kind: NodeKind, document: Document, above: Above) -> str:
    return dirname(str(_suite(kind, document, above).get("$file", "")))


def _seen(folder: str, path: str) -> str:
    """A path from the nearest folder above the suite in which it lies."""
    root = next(root for root in search_roots(folder) if not root or path.startswith(f"{root}/"))
    return path.removeprefix(f"{root}/") if root else path
