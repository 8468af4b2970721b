"""Every problem of a draft in the order of its tree, as the last checks stored them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from packs.editing.rechecking import rows_of
from packs.formats.adapter import Adapter
from packs.formats.document import Address, NodeKind
from packs.formats.findings import Finding
from packs.mirror import format_of, restored
from packs.models import Pack

# The order in which people read a pack.
READING_ORDER = (NodeKind.PACK, NodeKind.ASSET, NodeKind.CHALLENGE, NodeKind.INPUT_SET, NodeKind.CASE)


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding and the row it is about.

    `finding.path` starts at the file's root, as on the command line; `pointer_path` at the node's document.
    """

    kind: NodeKind
    node: int
    pointer_path: tuple[str | int, ...]
    finding: Finding


def in_order(adapter: Adapter, by_address: Mapping[Address, list[dict[str, Any]]]) -> Iterator[Finding]:
    """What a check of the whole draft found, in the same order and words as `problems` gives it once it is stored."""
    for kind in READING_ORDER:
        for address in sorted((found for found in by_address if found.kind is kind), key=attrgetter("indices")):
            for item in by_address[address]:
                yield restored(item).below(adapter.path_of(address))


def problems(pack_row: Pack, *, only_errors: bool = False) -> Iterator[Problem]:
    """The stored findings of a draft, or its errors, read as they are asked for.

    Call `recheck_if_stale` first where findings about the whole pack matter.
    """
    adapter = format_of(pack_row)
    for kind in READING_ORDER:
        for address, node, kept in rows_of(pack_row, kind, with_errors=only_errors):
            for finding in map(restored, kept):
                if only_errors and not finding.is_error:
                    continue
                yield Problem(kind, node, finding.path, finding.below(adapter.path_of(address)))
