"""What a pack states about itself that outlives one version: its title, its identity, the files it refers to."""

from collections.abc import Iterator
from typing import Any

from packs.formats.document import Document, NodeKind
from packs.formats.findings import Path
from packs.formats.values import words_in

TITLE_POINTER = "/pack/name"
VERSION_POINTER = "/version/number"
EVALUATION_POINTER = "/version/evaluation_spec"

# Where checks are stated.
CHECKS_AT = {NodeKind.PACK: ("/version/evaluation_spec/validators", "/version/evaluation_spec/llm_judges")}
KEY_POINTERS = {
    NodeKind.CHALLENGE: "/key",
    NodeKind.INPUT_SET: "/key",
    NodeKind.CASE: "/case_key",
    NodeKind.ASSET: "/key",
}

# The parts of the pack's document that the checks of challenges, input sets and cases look at.
SHARED_POINTERS = ("/version/execution_mode",)


def title(document: Document) -> str:
    """The pack's name; see `Adapter.title`."""
    return _identity(document, "name")


def lineage(document: Document) -> dict[str, str]:
    """Slug, name and family, normalised (challenge-pack f: another name or family under one slug is a conflict)."""
    identity = {f"pack.{name}": _identity(document, name) for name in ("slug", "name", "family")}
    return identity | {"pack.family": identity["pack.family"].lower()}


def labels(challenge: Document, input_set: Document, case: Document) -> dict[str, tuple[str, ...]]:
    """The category and the difficulty of the challenge; see `Adapter.labels`."""
    return {"tag": words_in(challenge.get("category")), "difficulty": words_in(challenge.get("difficulty"))}


def stored_files(kind: NodeKind, document: Document) -> Iterator[tuple[Path, str]]:
    """The `artifact_id` of every asset in a document (challenge-pack c.3)."""
    if kind is NodeKind.ASSET:
        yield from _artifact_id((), document)
    assets = document.get("assets")
    if kind in {NodeKind.CHALLENGE, NodeKind.CASE} and isinstance(assets, list):
        for position, asset in enumerate(assets):
            yield from _artifact_id(("assets", position), asset)


def _artifact_id(path: Path, asset: Any) -> Iterator[tuple[Path, str]]:
    stated = asset.get("artifact_id") if isinstance(asset, dict) else None
    if isinstance(stated, str) and stated.strip():
        yield (*path, "artifact_id"), stated.strip()


def _identity(document: Document, name: str) -> str:
    identity = document.get("pack")
    stated = identity.get(name) if isinstance(identity, dict) else None
    return stated.strip() if isinstance(stated, str) else ""
