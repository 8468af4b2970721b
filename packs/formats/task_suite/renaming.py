"""References that follow a suite, a file, a tool or a secret to its new name."""

from collections.abc import Iterator, Mapping
from posixpath import relpath
from typing import Any

from packs.formats.adapter import Above
from packs.formats.document import Document, NodeKind
from packs.formats.names import followed
from packs.formats.task_suite.checks.rubrics import rubric_paths, stem
from packs.formats.task_suite.layout import FOLDER, candidates, working_folders
from packs.formats.task_suite.schema import SCHEMA
from packs.formats.task_suite.schema.graders import GRADER
from packs.formats.values import mapping, trimmed

REFERRERS: Mapping[str, tuple[NodeKind, ...]] = dict.fromkeys(
    (NodeKind.CHALLENGE, NodeKind.INPUT_SET, NodeKind.ASSET, "tools", "secrets"), (NodeKind.CASE,)
)
_IN_GRADERS = ("rubric", "schema_path", "rubric_paths")


def renamed(kind: NodeKind, document: Document, what: str, names: Mapping[str, str], above: Above) -> Document:
    """A document in which names have changed; see `Adapter.renamed`.

    Tasks name files by `inputs.repo_path` and by `rubric_paths`, `rubric` and `schema_path` of graders, as seen from
    the folder of the task; and by `target` and `expect.files` of graders, as seen from the folder that the agent works
    on.
    """
    if kind not in REFERRERS.get(what, ()):
        return document
    if what in ("tools", "secrets"):
        found: Document = followed(SCHEMA[kind], document, what, names)
        return found
    suite = trimmed(document.get("suite"))
    if what != NodeKind.ASSET:
        return {**document, "suite": names[suite]} if suite in names else document
    folder = suite or "golden"
    changed = dict(document)
    if "repo_path" in mapping(document.get("inputs")):
        changed["inputs"] = _in_fields(document["inputs"], ("repo_path",), folder, names)
    if isinstance(document.get("graders"), list):
        inside = _InWorkingCopy(document, names)
        graders = (_in_grader(grader, folder, names) for grader in document["graders"])
        changed["graders"] = [followed(GRADER, grader, "working_files", inside) for grader in graders]
    return document if changed == document else changed


class _InWorkingCopy(Mapping[str, str]):
    """The names of files as seen from the folder that the agent works on; each is looked up when it is asked for, since
    look-ups are counted. A file that leaves the folder cannot be named from there, and keeps its name.
    """

    def __init__(self, document: Document, names: Mapping[str, str]) -> None:
        self.prefixes = [f"{folder}/" for folder in working_folders(document)]
        self.names = names

    def _prefix(self, path: object) -> str | None:
        return next((prefix for prefix in self.prefixes if f"{prefix}{path}" in self.names), None)

    def __contains__(self, path: object) -> bool:
        return self._prefix(path) is not None

    def __getitem__(self, path: str) -> str:
        prefix = self._prefix(path)
        if prefix is None:
            raise KeyError(path)
        new = self.names[f"{prefix}{path}"]
        return new.removeprefix(prefix) if new.startswith(prefix) else path

    def __iter__(self) -> Iterator[str]:
        seen = ((prefix, name) for prefix in self.prefixes for name in self.names if name.startswith(prefix))
        return (name.removeprefix(prefix) for prefix, name in seen)

    def __len__(self) -> int:
        return len(list(iter(self)))


def _in_grader(grader: Any, folder: str, names: Mapping[str, str]) -> Any:
    """A grader with its paths followed; the weights of rubrics have the names of their files."""
    found = _in_fields(grader, _IN_GRADERS, folder, names)
    weights = mapping(mapping(found).get("scoring")).get("weights")
    if not isinstance(weights, dict) or found == grader:
        return found
    before, after = ([stem(path) for _, path in rubric_paths(each)] for each in (grader, found))
    stems = dict(zip(before, after, strict=True))
    return {**found, "scoring": {**found["scoring"], "weights": {stems.get(key, key): weights[key] for key in weights}}}


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
