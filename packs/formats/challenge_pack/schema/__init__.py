"""The JSON Schemas (2020-12) of the challenge-pack format: one a kind of node, and one of the whole file."""

from typing import Any

from packs.formats.challenge_pack.schema.nodes import CASE, CHALLENGE, INPUT_SET
from packs.formats.challenge_pack.schema.pack import PACK
from packs.formats.challenge_pack.schema.parts import asset, assets
from packs.formats.document import NodeKind
from packs.formats.schema.pieces import keeping
from packs.formats.structure.published import published

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# A typed reader gives null and a field that is left out the same value, and a choice its empty text too (a.1).
_ABSENT = [None, ""]

SCHEMA: dict[NodeKind, dict[str, Any]] = {
    kind: {"$schema": DIALECT, "x-absent": _ABSENT, **keeping(schema, "W005")}
    for kind, schema in {
        NodeKind.PACK: PACK,
        NodeKind.CHALLENGE: CHALLENGE,
        NodeKind.INPUT_SET: INPUT_SET,
        NodeKind.CASE: CASE,
        NodeKind.ASSET: asset(),
    }.items()
}


def file_schemas() -> dict[str, dict[str, Any]]:
    """What editors outside Packwright can use: the schema of a whole pack file, the nodes put together again."""
    cases = {"type": "array", "title": "Cases", "items": CASE, "minItems": 1}
    sets = {
        **INPUT_SET,
        "properties": {**INPUT_SET["properties"], "cases": cases},
        "required": ["key", "name", "cases"],
    }
    version = PACK["properties"]["version"]
    listed = assets("Assets", "Files that other places of the pack refer to.")
    version = {**version, "properties": {**version["properties"], "assets": listed}}
    properties = {
        **PACK["properties"],
        "version": version,
        "challenges": {"type": "array", "title": "Challenges", "items": CHALLENGE, "minItems": 1},
        "input_sets": {"type": "array", "title": "Input sets", "items": sets},
    }
    required = ["pack", "version", "challenges"]
    whole = {**PACK, "x-absent": _ABSENT, "properties": properties, "required": required}
    return {"": published({"$schema": DIALECT, **whole})}
