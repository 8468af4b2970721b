"""The JSON Schemas (2020-12) of the benchmark-pack format: one a kind of node."""

from typing import Any

from packs.formats.benchmark_pack.schema.nodes import ASSET, INPUT_SET, MANIFEST, row_schema
from packs.formats.document import NodeKind
from packs.formats.structure.published import published

DIALECT = "https://json-schema.org/draft/2020-12/schema"

SCHEMA: dict[NodeKind, dict[str, Any]] = {
    kind: {"$schema": DIALECT, **schema}
    for kind, schema in {
        NodeKind.PACK: MANIFEST,
        NodeKind.INPUT_SET: INPUT_SET,
        NodeKind.CASE: row_schema(),
        NodeKind.ASSET: ASSET,
    }.items()
}


def file_schemas() -> dict[str, dict[str, Any]]:
    """What editors outside Packwright can use: the manifest, and one line of a rows file."""
    return {"manifest": published(SCHEMA[NodeKind.PACK]), "row": published(SCHEMA[NodeKind.CASE])}
