"""References of rows that follow a file to its new path, as far as it stays below its root."""

from typing import Any

from packs.formats.benchmark_pack.header import header_of, normal_path
from packs.formats.benchmark_pack.plan import is_reference
from packs.formats.document import Document, NodeKind


def renamed(
    kind: NodeKind, document: Document, what: NodeKind, old: str, new: str, pack: Document | None = None
) -> Document:
    """A row whose references to the file `old` say `new`; see `Adapter.renamed`.

    `assets[].path` names files below the public root, references inside of `eval` those below the hidden one
    (benchmark-pack 4). A mount that is not stated is the path, and so follows as well.
    """
    if kind is not NodeKind.CASE or what is not NodeKind.ASSET:
        return document
    public, hidden = header_of(pack or {}).roots
    followed = dict(document)
    assets, expected = document.get("assets"), document.get("eval")
    if isinstance(assets, list):
        followed["assets"] = [_followed(entry, public, old, new) for entry in assets]
    if isinstance(expected, dict):
        followed["eval"] = {
            name: _followed(value, hidden, old, new) if is_reference(value) else value
            for name, value in expected.items()
        }
    return document if followed == document else followed


def _followed(entry: Any, root: str, old: str, new: str) -> Any:
    path = entry.get("path") if isinstance(entry, dict) else None
    if not isinstance(path, str) or f"{root}{normal_path(path)}" != old or not new.startswith(root):
        return entry
    return {**entry, "path": new.removeprefix(root)}
