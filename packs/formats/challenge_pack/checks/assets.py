"""Rules about assets and the references to them (challenge-pack e, A2 to A6)."""

from collections.abc import Iterator

from packs.formats.adapter import PackIndex
from packs.formats.challenge_pack.values import entries, repeated, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule

ASSET_REPEATED = Rule(
    "challenge_pack.E201",
    "Two assets of this list have the key {key!r}.",
    "Rename one of them, and the references that mean it.",
    "A2",
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


def check_asset(asset: Document, is_repeated: bool) -> Iterator[Finding]:
    """A2 for one asset; `is_repeated` says that one before it in its list has the same key."""
    if is_repeated:
        yield ASSET_REPEATED.at(("key",), key=text(asset, "key"))


def check_own_assets(document: Document) -> Iterator[Finding]:
    """A2 for the assets that a challenge or a case declares for itself."""
    for position, key in repeated(document, "assets"):
        yield ASSET_REPEATED.at(("assets", position, "key"), key=key)


def check_references(index: PackIndex, document: Document, field: str) -> Iterator[Finding]:
    """A5 and A6 for a list of references; they resolve against the version's assets only (challenge-pack c.3)."""
    for position, key in repeated(document, field):
        yield REFERENCE_REPEATED.at((field, position, "key"), key=key)
    for position, reference in entries(document, field):
        if (key := text(reference, "key")) and index.asset(key) is None:
            yield REFERENCE_UNKNOWN.at((field, position, "key"), key=key)
