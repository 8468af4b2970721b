"""References of rows that follow a file to its new path, as far as it stays below its root."""

from collections.abc import Mapping
from typing import Any

from packs.formats.adapter import Above
from packs.formats.benchmark_pack.header import header_of
from packs.formats.benchmark_pack.plan import is_reference
from packs.formats.document import Document, NodeKind
from packs.formats.paths import normal_path

REFERRERS: Mapping[str, tuple[NodeKind, ...]] = {NodeKind.ASSET: (NodeKind.CASE,)}


def renamed(kind: NodeKind, document: Document, what: str, names: Mapping[str, str], above: Above) -> Document:
    """A row whose references to files have their new paths; see `Adapter.renamed`.

    `assets[].path` names files below the public root, references inside of `eval` those below the hidden one
    (benchmark-pack 4). A mount that is not stated is the path, and so follows as well.
    """
    if kind not in REFERRERS.get(what, ()):
        return document
    public, hidden = header_of(above.pack).roots
    followed = dict(document)
    assets, expected = document.get("assets"), document.get("eval")
    if isinstance(assets, list):
        followed["assets"] = [_followed(entry, public, names) for entry in assets]
    if isinstance(expected, dict):
        followed["eval"] = {
            name: _followed(value, hidden, names) if is_reference(value) else value for name, value in expected.items()
        }
    return document if followed == document else followed


def _followed(entry: Any, root: str, names: Mapping[str, str]) -> Any:
    path = entry.get("path") if isinstance(entry, dict) else None
    if not isinstance(path, str):
        return entry
    new = names.get(f"{root}{normal_path(path)}", "")
    return {**entry, "path": new.removeprefix(root)} if new.startswith(root) else entry
