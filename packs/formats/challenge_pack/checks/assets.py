"""Rules about assets and the references to them (challenge-pack e, A2 to A6)."""

from collections.abc import Iterator

from packs.formats.adapter import PackIndex
from packs.formats.challenge_pack.values import entries, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Path, Rule

ASSET_REPEATED = Rule(
    "challenge_pack.E201",
    "Two assets of this list have the key {key!r}.",
    "Rename one of them, and the references that mean it.",
    "A2",
)
ASSET_KEY_MISSING = Rule(
    "challenge_pack.E202", "The asset has no key.", "Give it the name by which others refer to it.", "A3"
)
ASSET_PATH_MISSING = Rule(
    "challenge_pack.E203", "The asset has no path.", "Write where the file is placed, relative to the workspace.", "A3"
)
REFERENCE_KEY_MISSING = Rule(
    "challenge_pack.E204", "The reference names no asset.", "Write the key of a version asset, or remove it.", "A4"
)
REFERENCE_REPEATED = Rule(
    "challenge_pack.E205", "The asset {key!r} is referred to twice in this list.", "Keep one of the two.", "A5"
)
REFERENCE_UNKNOWN = Rule(
    "challenge_pack.E206",
    "No version asset has the key {key!r}.",
    "Declare it under `version.assets`; assets of challenges and cases cannot be referred to.",
    "A6",
)


def check_asset(asset: Document, repeated: bool, path: Path = ()) -> Iterator[Finding]:
    """A2 and A3 for one asset; `repeated` says that one before it in its list has the same key."""
    key = text(asset, "key")
    if not key:
        yield ASSET_KEY_MISSING.at((*path, "key"))
    elif repeated:
        yield ASSET_REPEATED.at((*path, "key"), key=key)
    if not text(asset, "path"):
        yield ASSET_PATH_MISSING.at((*path, "path"))


def check_own_assets(document: Document) -> Iterator[Finding]:
    """A2 and A3 for the assets that a challenge or a case declares for itself."""
    seen: set[str] = set()
    for position, asset in entries(document, "assets"):
        key = text(asset, "key")
        yield from check_asset(asset, key in seen, ("assets", position))
        seen.add(key)


def check_references(index: PackIndex, document: Document, field: str) -> Iterator[Finding]:
    """A4 to A6 for a list of references; they resolve against the version's assets only (challenge-pack c.3)."""
    seen: set[str] = set()
    for position, reference in entries(document, field):
        key, path = text(reference, "key"), (field, position, "key")
        if not key:
            yield REFERENCE_KEY_MISSING.at(path)
            continue
        if key in seen:
            yield REFERENCE_REPEATED.at(path, key=key)
        if index.asset(key) is None:
            yield REFERENCE_UNKNOWN.at(path, key=key)
        seen.add(key)
