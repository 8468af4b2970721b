"""What a pack states about itself that outlives one version: its title and identity."""

from packs.formats.benchmark_pack.reader import stated
from packs.formats.document import Document, NodeKind
from packs.formats.values import labels_in, mapping

TITLE_POINTER = "/id"
VERSION_POINTER = "/version"
# Where checks are stated.
CHECKS_AT = {NodeKind.CASE: ("/eval",)}
KEY_POINTERS = {NodeKind.INPUT_SET: "/file", NodeKind.CASE: "/id", NodeKind.ASSET: "/path"}
# The parts of the manifest that the checks of rows and files look at.
SHARED_POINTERS = ("/defaults", "/asset_roots", "/asset_defaults")


def title(document: Document) -> str:
    """The pack's id: manifests have no other name."""
    return stated(document, "id")


def labels(challenge: Document, input_set: Document, case: Document) -> dict[str, tuple[str, ...]]:
    """What the free metadata of a row says of it by these names; see `Adapter.labels`."""
    return labels_in(mapping(case.get("metadata")))


def lineage(document: Document) -> dict[str, str]:
    """The id, which is the benchmark's in every result."""
    return {"manifest.id": stated(document, "id")}
