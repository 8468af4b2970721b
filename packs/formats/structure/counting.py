"""What of a document counts, for readers that pass over values which the schema refuses."""

from collections.abc import Callable, Collection
from functools import cache
from typing import Any

from packs.formats.document import Document
from packs.formats.findings import Path
from packs.formats.schema.pieces import Schema
from packs.formats.structure.examining import compiled
from packs.formats.structure.published import published


def counting(block: Schema, *rules: str) -> Callable[[Any], Document]:
    """What gives the known fields of a mapping that count, with all that counts below them; nothing of other values.

    A value of which one of the `rules` tells counts as little as null. Raises TypeError for an unusable schema.
    """

    @cache
    def check() -> Any:
        return compiled(published({"x-absent": [None], **block}, rules))

    def counted(value: Any) -> Document:
        if not isinstance(value, dict):
            return {}
        is_fine = check().is_valid(value)
        refused = () if is_fine else {violation.path for violation in check().violations(value, None)}
        known = {name: value[name] for name in block["properties"] if name in value}
        return _counted(known, (), refused)

    return counted


def _counted(value: Document, path: Path, refused: Collection[Path]) -> Document:
    found = {}
    for name, stated in value.items():
        place = (*path, name)
        if stated is not None and place not in refused:
            found[name] = _counted(stated, place, refused) if isinstance(stated, dict) else stated
    return found
