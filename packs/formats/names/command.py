"""What `pack rename` does and says."""

from collections.abc import Iterator
from typing import Any

from packs.formats import adapter_of
from packs.formats.adapter import Files
from packs.formats.document import Pack
from packs.formats.names.files import Renamed, rename_in_files
from packs.formats.names.renames import RenameRefused as RenameRefused
from packs.formats.names.renames import things


def renamed(files: Files, pack: Pack, what: str, old: str, new: str, input_set: str) -> Renamed:
    """Raises RenameRefused."""
    known = things(adapter_of(pack.format))
    if what not in known:
        raise RenameRefused("no_such_name", f"This pack has no {what} to rename; use one of: {', '.join(known)}")
    return rename_in_files(files, pack, known[what], old, new, input_set)


def as_dict(found: Renamed) -> dict[str, Any]:
    nodes = {kind.value: count for kind, count in found.renaming.nodes.items()}
    return {"files": sorted(found.files), "gone": sorted(found.gone), "places": found.renaming.places, "nodes": nodes}


def as_lines(found: Renamed, *, written: bool) -> Iterator[str]:
    """What was done, or would be."""
    for name in sorted(found.files):
        yield f"{name}: {'written' if written else 'would change'}"
    for name in sorted(found.gone):
        yield f"{name}: {'removed' if written else 'would go'}"
    places = found.renaming.places
    yield f"{places} {'place' if places == 1 else 'places'} {'updated' if written else 'would be updated'}"
