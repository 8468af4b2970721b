"""References that follow a file to its new path (agentv C.2, F.8)."""

from posixpath import relpath
from typing import Any

from packs.formats.document import Document, NodeKind

SCHEME = "file://"
# What is no reference, whatever it says.
_KEPT = frozenset({"id", "criteria", "input", "expected_output", "metadata", "name", "$file", "$folder"})


def renamed(
    kind: NodeKind, document: Document, what: NodeKind, old: str, new: str, pack: Document | None = None
) -> Document:
    """A document whose references to the file `old` say `new`; see `Adapter.renamed`.

    A reference is written as seen from the suite's folder or from one above it, so it is one where it is how `old` ends
    there. Blocks, input files, prompts, commands, templates and workspaces follow; metadata never does.
    """
    if what is not NodeKind.ASSET or kind not in (NodeKind.CASE, NodeKind.INPUT_SET):
        return document
    followed = {key: value if key in _KEPT else _follow(value, old, new) for key, value in document.items()}
    for key in ("input", "expected_output"):
        if isinstance(document.get(key), list):
            followed[key] = _in_blocks(document[key], old, new)
    return document if followed == document else followed


def _in_blocks(value: Any, old: str, new: str) -> Any:
    if isinstance(value, list):
        return [_in_blocks(item, old, new) for item in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") in ("file", "image"):
        return {**value, "value": _path(value.get("value"), old, new)}
    return {**value, "content": _in_blocks(value["content"], old, new)} if "content" in value else value


def _follow(value: Any, old: str, new: str) -> Any:
    if isinstance(value, list):
        return [_follow(item, old, new) for item in value]
    if isinstance(value, dict):
        return {key: _follow(item, old, new) for key, item in value.items()}
    return _path(value, old, new)


def _path(value: Any, old: str, new: str) -> Any:
    """A text that is a path to `old`, from the pack's folder or one in it, as the path to `new` from there."""
    if not isinstance(value, str) or "\n" in value:
        return value
    scheme = SCHEME if value.startswith(SCHEME) else ""
    own = value.removeprefix(SCHEME)
    plain = own.removeprefix("./")
    if plain == old:
        return f"{scheme}{'./' if own != plain else ''}{new}"
    if "/" in plain and not plain.startswith("..") and old.endswith(f"/{plain}"):
        return f"{scheme}{'./' if own != plain else ''}{relpath(new, old[: -len(plain) - 1])}"
    return value
