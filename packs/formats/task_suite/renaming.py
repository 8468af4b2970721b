"""References that follow a suite or a file to its new name."""

from collections.abc import Mapping
from posixpath import relpath
from typing import Any

from packs.formats.adapter import Above
from packs.formats.document import Document, NodeKind
from packs.formats.task_suite.layout import FOLDER, candidates
from packs.formats.values import mapping, trimmed

REFERRERS = dict.fromkeys((NodeKind.CHALLENGE, NodeKind.INPUT_SET, NodeKind.ASSET), (NodeKind.CASE,))
_IN_GRADERS = ("rubric", "schema_path", "rubric_paths")


def renamed(kind: NodeKind, document: Document, what: NodeKind, names: Mapping[str, str], above: Above) -> Document:
    """A document whose references to suites or files have their new names; see `Adapter.renamed`.

    Tasks name files by `inputs.repo_path` and by `rubric_paths`, `rubric` and `schema_path` of graders, as seen from
    the folder of the task.
    """
    if kind not in REFERRERS.get(what, ()):
        return document
    suite = trimmed(document.get("suite"))
    if what is not NodeKind.ASSET:
        return {**document, "suite": names[suite]} if suite in names else document
    folder = suite or "golden"
    followed = dict(document)
    if "repo_path" in mapping(document.get("inputs")):
        followed["inputs"] = _in_fields(document["inputs"], ("repo_path",), folder, names)
    if isinstance(document.get("graders"), list):
        followed["graders"] = [_in_fields(grader, _IN_GRADERS, folder, names) for grader in document["graders"]]
    return document if followed == document else followed


def _in_fields(part: Any, fields: tuple[str, ...], folder: str, names: Mapping[str, str]) -> Any:
    """A mapping with the paths, or lists of paths, in some of its fields followed."""
    if not isinstance(part, dict):
        return part
    return {key: _followed(value, folder, names) if key in fields else value for key, value in part.items()}


def _followed(path: Any, folder: str, names: Mapping[str, str]) -> Any:
    if isinstance(path, list):
        return [_followed(item, folder, names) for item in path]
    if not isinstance(path, str) or "\n" in path:
        return path
    old = next((name for name in candidates(folder, path) if name in names), None)
    return path if old is None else relpath(names[old], f"{FOLDER}/{folder}")
