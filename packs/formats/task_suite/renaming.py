"""References that follow a file to its new path."""

from posixpath import relpath
from typing import Any

from packs.formats.document import Document, NodeKind
from packs.formats.task_suite.layout import FOLDER, candidates


def renamed(
    kind: NodeKind, document: Document, what: NodeKind, old: str, new: str, pack: Document | None = None
) -> Document:
    """A document whose references to the suite or file `old` say `new`; see `Adapter.renamed`.

    Files are named by `rubric_paths`, `rubric` and `schema_path` of graders, from the folder of the task.
    """
    if kind is not NodeKind.CASE:
        return document
    if what is NodeKind.CHALLENGE and document.get("suite") == old:
        return {**document, "suite": new}
    graders = document.get("graders")
    if what is not NodeKind.ASSET or not isinstance(graders, list):
        return document
    suite = document.get("suite")
    folder = suite if isinstance(suite, str) else "golden"
    followed = [_in_grader(grader, folder, old, new) for grader in graders]
    return document if followed == graders else {**document, "graders": followed}


def _in_grader(grader: Any, folder: str, old: str, new: str) -> Any:
    if not isinstance(grader, dict):
        return grader
    found = dict(grader)
    for field in ("rubric", "schema_path"):
        if field in found:
            found[field] = _in_path(found[field], folder, old, new)
    if isinstance(found.get("rubric_paths"), list):
        found["rubric_paths"] = [_in_path(path, folder, old, new) for path in found["rubric_paths"]]
    return found


def _in_path(path: Any, folder: str, old: str, new: str) -> Any:
    if not isinstance(path, str) or "\n" in path or old not in candidates(folder, path):
        return path
    return relpath(new, f"{FOLDER}/{folder}")
