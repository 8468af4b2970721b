"""References that follow a challenge or an asset to its new key."""

from collections.abc import Mapping
from typing import Any

from packs.formats.adapter import Above
from packs.formats.document import Document, NodeKind

REFERRERS = {
    NodeKind.CHALLENGE: (NodeKind.CASE,),
    NodeKind.ASSET: (NodeKind.PACK, NodeKind.CHALLENGE, NodeKind.CASE),
}
_SOURCE = "artifact:"
_EVIDENCE = "artifact."


def renamed(kind: NodeKind, document: Document, what: NodeKind, names: Mapping[str, str], above: Above) -> Document:
    """A document whose references to challenges or assets have their new keys; see `Adapter.renamed`.

    Assets are named by `artifact_refs`, `artifacts`, `artifact_key`, `source: artifact:...` (challenge-pack c.3) and by
    evidence references of the evaluation spec (d.2); challenges by the cases' `challenge_key`.
    """
    if kind not in REFERRERS.get(what, ()):
        return document
    if what is NodeKind.CHALLENGE:
        followed: Document = _replaced(document, "challenge_key", names)
        return followed
    if kind is NodeKind.PACK:
        return _in_specification(document, names)
    return {name: _in_field(name, value, names) for name, value in document.items()}


def _in_field(name: str, value: Any, names: Mapping[str, str]) -> Any:
    if not isinstance(value, list):
        return value
    if name in {"artifact_refs", "artifacts"}:
        return [_replaced(item, "key", names) for item in value]
    if name in {"inputs", "expectations"}:
        return [_in_source(_replaced(item, "artifact_key", names), names) for item in value]
    return value


def _replaced(item: Any, field: str, names: Mapping[str, str]) -> Any:
    stated = item.get(field) if isinstance(item, dict) else None
    key = stated.strip() if isinstance(stated, str) else ""
    return {**item, field: names[key]} if key in names else item


def _in_source(item: Any, names: Mapping[str, str]) -> Any:
    source = item.get("source") if isinstance(item, dict) else None
    if not isinstance(source, str) or not source.strip().startswith(_SOURCE):
        return item
    key = source.strip().removeprefix(_SOURCE).strip()
    return {**item, "source": _SOURCE + names[key]} if key in names else item


def _in_specification(document: Document, names: Mapping[str, str]) -> Document:
    version = document.get("version")
    if not isinstance(version, dict) or not isinstance(version.get("evaluation_spec"), dict):
        return document
    followed = _in_evidence(version["evaluation_spec"], names)
    return {**document, "version": {**version, "evaluation_spec": followed}}


def _in_evidence(value: Any, names: Mapping[str, str]) -> Any:
    """Every text of the specification that is an evidence reference to an asset; a key may hold dots."""
    if isinstance(value, dict):
        return {key: _in_evidence(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_in_evidence(item, names) for item in value]
    stated = value.strip() if isinstance(value, str) else ""
    if not stated.startswith(_EVIDENCE):
        return value
    path = stated.removeprefix(_EVIDENCE)
    old = next((key for key in names if path == key or path.startswith(f"{key}.")), None)
    return value if old is None else _EVIDENCE + names[old] + path.removeprefix(old)
