"""What texts of tasks name beside what they declare: files and folders, as seen from the folder of the task, and files
of the working copy, as seen from the folder that the agent works on.
"""

from collections.abc import Iterable, Mapping, Sequence
from posixpath import relpath

from packs.formats.adapter import Above, Files
from packs.formats.document import Document, NodeKind
from packs.formats.naming import folders_of, is_path
from packs.formats.task_suite.layout import FOLDER, candidates, working_folders
from packs.formats.task_suite.reference import files_of
from packs.formats.values import trimmed

_ENDINGS = {"rubrics": (".md", ".markdown", ".txt", ".yaml", ".yml"), "schemas": (".json",)}
FILES = frozenset(_ENDINGS)


def is_read(path: str) -> bool:
    """Whether the bytes of a file say names; see `Namer.is_read`."""
    return False


def names(kind: NodeKind, document: Document, above: Above, files: Files) -> Mapping[str, Sequence[str]]:
    """The files and folders that a task can name, by what for; see `Namer.names`."""
    found = {
        sort: _seen(document, (path for path in files if path.endswith(endings))) for sort, endings in _ENDINGS.items()
    }
    return {**found, "folders": _seen(document, folders_of(files)), "working_files": _working_files(document, files)}


def path_of(sort: str, kind: NodeKind, document: Document, above: Above, name: str, files: Files) -> str:
    """The file that a path of a task means; see `Namer.path_of`."""
    meant = list(candidates(_folder(document), name)) if is_path(name) else []
    return next((path for path in meant if path in files), next(iter(meant), ""))


def _working_files(document: Document, files: Files) -> list[str]:
    """The files that the working copy begins with, and those that the reference solution leaves in it."""
    prefixes = (f"{folder}/" for folder in working_folders(document))
    begun = ([path.removeprefix(prefix) for path in files if path.startswith(prefix)] for prefix in prefixes)
    return [*next(filter(None, begun), ()), *files_of(document)]


def _folder(document: Document) -> str:
    return trimmed(document.get("suite")) or "golden"


def _seen(document: Document, paths: Iterable[str]) -> list[str]:
    return [relpath(path, f"{FOLDER}/{_folder(document)}") for path in paths]
