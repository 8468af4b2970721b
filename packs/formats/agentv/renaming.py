"""References that follow what they name to its new name: a test, a file (agentv B.4, B.6, C.2, F.8), a target, a
grader, a value."""

import re
from collections.abc import Collection, Mapping
from posixpath import dirname, relpath
from typing import Any

from packs.formats.adapter import Above
from packs.formats.agentv.filling import filled_with
from packs.formats.agentv.layout import SCHEME, candidates, inside, search_roots
from packs.formats.agentv.schema import SCHEMA
from packs.formats.agentv.targets import MARKED_PLACES
from packs.formats.document import Document, NodeKind
from packs.formats.names import followed, sort_of
from packs.formats.naming import folders_of

_BOTH = (NodeKind.INPUT_SET, NodeKind.CASE)
REFERRERS: Mapping[str, tuple[NodeKind, ...]] = {
    # Nothing names a suite; what it names itself follows when its file moves (`moved`).
    NodeKind.INPUT_SET: (),
    NodeKind.CASE: (NodeKind.CASE,),
    NodeKind.ASSET: _BOTH,
    **dict.fromkeys(("targets", "graders", "vars"), _BOTH),
}
# What is no reference, whatever it says: of a whole document, and of what stands in it.
_KEPT = frozenset({"id", "criteria", "input", "expected_output", "metadata", "name", "$file", "$folder"})
_KEPT_INSIDE = frozenset({"value"})
# What names a folder.
_FOLDERS = frozenset({"cwd", "template"})
# Texts under these names are split at blanks, by us or by a shell.
_LINES = frozenset({"command", "script"})


def is_fixed(what: str, name: str) -> bool:
    """Whether a name means something by itself; see `Adapter.is_fixed`."""
    folder, _, base = name.rpartition("/")
    return what == NodeKind.ASSET and (".agentv" in folder.split("/") or base in (".env", *MARKED_PLACES))


def renamed(kind: NodeKind, document: Document, what: str, names: Mapping[str, str], above: Above) -> Document:
    """A document in which names have changed; see `Adapter.renamed`.

    Files are named as seen from the suite's folder or from one above it: in blocks, input files, prompts, commands,
    templates and workspaces. A case's folder follows its files. Metadata never does.
    """
    if kind not in REFERRERS.get(what, ()):
        return document
    if what != NodeKind.ASSET:
        found: Document = followed(SCHEMA[kind], document, sort_of(what), names)
        return filled_with(found, names) if what == "vars" else found
    suite = document if kind is NodeKind.INPUT_SET else above.input_set
    stated = suite.get("$file")
    follower = _Follower(names, dirname(stated) if isinstance(stated, str) else "")
    found = _with_paths(document, follower)
    if kind is NodeKind.CASE and isinstance(document.get("$folder"), str):
        found["$folder"] = follower.case_folder(suite.get("tests"), document["$folder"])
    return document if found == document else found


def moved(kind: NodeKind, document: Document, old: str, new: str, files: Collection[str]) -> Document:
    """A suite, or a test of it, whose file moved from one path to another, with paths that mean the same files."""
    here, there = dirname(old), dirname(new)
    if here == there or kind not in _BOTH:
        return document
    tests = document.get("tests") if kind is NodeKind.INPUT_SET else None
    place = inside(here, tests) if isinstance(tests, str) else None
    names = {name: name for name in (*files, *folders_of(files))}
    found = _with_paths(document, _Mover(names, here, there))
    if place:
        found["tests"] = _as_written(str(tests), relpath(place, there or "."))
    return document if found == document else found


def _with_paths(document: Document, follower: "_Follower") -> Document:
    """A document, or a turn of a conversation, in which the paths follow."""
    found = {key: value if key in _KEPT else follower.inside(key, value) for key, value in document.items()}
    for key in ("input", "expected_output"):
        if isinstance(document.get(key), list):
            found[key] = follower.in_blocks(document[key])
    if isinstance(document.get("turns"), list):
        found["turns"] = [_with_paths(turn, follower) if isinstance(turn, dict) else turn for turn in document["turns"]]
    return found


def _as_written(old: str, path: str) -> str:
    """A path as the former one was written, with or without a dot in front."""
    return f"./{path}" if old.startswith("./") and not path.startswith(".") else path


class _Follower:
    """Follows the paths that are written in a suite of a folder."""

    def __init__(self, names: Mapping[str, str], folder: str) -> None:
        self._names = names
        self._folder = folder
        self._roots = tuple(search_roots(folder))

    def in_blocks(self, value: Any) -> Any:
        """Messages, whose blocks name files by `value`."""
        if isinstance(value, list):
            return [self.in_blocks(item) for item in value]
        if not isinstance(value, dict):
            return value
        if value.get("type") in ("file", "image"):
            return {**value, "value": self._path(value.get("value"))}
        return {**value, "content": self.in_blocks(value["content"])} if "content" in value else value

    def inside(self, name: str, value: Any) -> Any:
        """What stands under a name, with all paths in it."""
        if isinstance(value, list):
            return [self.inside("", item) for item in value]
        if isinstance(value, dict):
            return {key: item if key in _KEPT_INSIDE else self.inside(key, item) for key, item in value.items()}
        if isinstance(value, str) and name in _LINES:
            return "".join(self._path(part) for part in re.split(r"(\s+)", value))
        return self._path(value)

    def case_folder(self, tests: Any, folder: str) -> str:
        """The folder of a case below that of its suite's tests, as long as it stays there."""
        base = inside(self._folder, tests) if isinstance(tests, str) else None
        prefix = f"{base}/" if base else ""
        new = self._names.get(f"{prefix}{folder}", "")
        return new.removeprefix(prefix) if new.startswith(prefix) and new else folder

    def _path(self, value: Any) -> Any:
        """A text that is a path to one of the names, from a folder in which it is looked for, as the path to the new
        one from there."""
        if not isinstance(value, str) or "\n" in value:
            return value
        own = value.removeprefix(SCHEME)
        for root in self._roots:
            old = inside(root, own.lstrip("/")) if own else None
            if old and old in self._names:
                return value[: len(value) - len(own)] + self._to(own, old, root)
        return value

    def _to(self, own: str, old: str, root: str) -> str:
        """What is written for a path that means a name, as it was found from a folder."""
        return _as_written(own, relpath(self._names[old], root or "."))


class _Mover(_Follower):
    """Keeps what paths mean that are written in a suite which moves to another folder."""

    def __init__(self, names: Mapping[str, str], folder: str, there: str) -> None:
        super().__init__(names, folder)
        self._there = there

    def inside(self, name: str, value: Any) -> Any:
        """What stands under a name. A single word is the name of a folder only where one is asked for."""
        is_word = isinstance(value, str) and not re.search(r"[./]", value)
        return value if is_word and name not in _FOLDERS else super().inside(name, value)

    def _to(self, own: str, old: str, root: str) -> str:
        meant = next((name for name in candidates(self._there, own) if name in self._names), None)
        return own if meant == old else _as_written(own, relpath(old, self._there or "."))
