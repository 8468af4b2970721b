"""The repositories that the workspaces of a pack are made from (agentv D.2)."""

from collections.abc import Iterator

from packs.formats.agentv.addresses import path_of
from packs.formats.agentv.context import Around, checked_around
from packs.formats.agentv.merging import read_workspace
from packs.formats.agentv.places import repositories_of
from packs.formats.document import Address, Document, NodeKind, Pack
from packs.formats.findings import Path
from packs.formats.task import Repository


def repositories_in(pack: Pack) -> Iterator[tuple[Path, Repository]]:
    """Each repository that a suite or a test names, with the path of its workspace in the pack."""
    for parent, input_set in enumerate(pack.input_sets):
        around = checked_around(pack, input_set)
        suite = path_of(Address(NodeKind.INPUT_SET, (parent,)))
        yield from ((suite + at, found) for at, found in _stated(around, input_set.document))
        for position, case in enumerate(input_set.cases):
            test = path_of(Address(NodeKind.CASE, (parent, position)))
            yield from ((test + at, found) for at, found in _stated(around, case.document))


def _stated(around: Around, document: Document) -> Iterator[tuple[Path, Repository]]:
    workspace = read_workspace(around, around.filled(document.get("workspace")))
    for found in repositories_of(workspace or {}):
        yield ("workspace",), found
