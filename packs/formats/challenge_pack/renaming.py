"""References that follow a challenge or an asset to its new key."""

from typing import Any

from packs.formats.document import Document, NodeKind

_SOURCE = "artifact:"
_EVIDENCE = "artifact."


def renamed(
    kind: NodeKind, document: Document, what: NodeKind, old: str, new: str, pack: Document | None = None
) -> Document:
    """A document whose references to the challenge or asset `old` say `new`; see `Adapter.renamed`.

    Assets are named by `artifact_refs`, `artifacts`, `artifact_key`, `source: artifact:...` (challenge-pack c.3) and by
    evidence references of the evaluation spec (d.2); challenges by the cases' `challenge_key`.
    """
    if what is NodeKind.CHALLENGE and kind is NodeKind.CASE and _names(document.get("challenge_key"), old):
        return document | {"challenge_key": new}
    if what is not NodeKind.ASSET:
        return document
    if kind is NodeKind.PACK:
        return _in_specification(document, old, new)
    if kind in {NodeKind.CHALLENGE, NodeKind.CASE}:
        return {name: _in_field(name, value, old, new) for name, value in document.items()}
    return document


def _names(stated: Any, key: str) -> bool:
    return isinstance(stated, str) and stated.strip() == key


def _in_field(name: str, value: Any, old: str, new: str) -> Any:
    if not isinstance(value, list):
        return value
    if name in {"artifact_refs", "artifacts"}:
        return [_replaced(item, "key", old, new) for item in value]
    if name in {"inputs", "expectations"}:
        return [_in_source(_replaced(item, "artifact_key", old, new), old, new) for item in value]
    return value


def _replaced(item: Any, field: str, old: str, new: str) -> Any:
    return item | {field: new} if isinstance(item, dict) and _names(item.get(field), old) else item


def _in_source(item: Any, old: str, new: str) -> Any:
    source = item.get("source") if isinstance(item, dict) else None
    if not isinstance(source, str) or not source.strip().startswith(_SOURCE):
        return item
    key = source.strip().removeprefix(_SOURCE)
    return item | {"source": _SOURCE + new} if key.strip() == old else item


def _in_specification(document: Document, old: str, new: str) -> Document:
    version = document.get("version")
    if not isinstance(version, dict) or not isinstance(version.get("evaluation_spec"), dict):
        return document
    specification = version["evaluation_spec"]
    followed = _in_evidence(specification, old, new)
    return document if followed == specification else document | {"version": version | {"evaluation_spec": followed}}


def _in_evidence(value: Any, old: str, new: str) -> Any:
    """Every text of the specification that is an evidence reference to the asset."""
    if isinstance(value, dict):
        return {key: _in_evidence(item, old, new) for key, item in value.items()}
    if isinstance(value, list):
        return [_in_evidence(item, old, new) for item in value]
    stated = value.strip() if isinstance(value, str) else ""
    rest = stated.removeprefix(_EVIDENCE + old)
    return _EVIDENCE + new + rest if rest != stated and rest[:1] in {"", "."} else value
