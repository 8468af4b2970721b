"""Which nodes of a draft use a file: by its key, by its path, or by a folder that it lies in."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath

from packs.editing import users_of
from packs.formats.document import PROOF_FILE, NodeKind
from packs.models import Pack
from packs.views.workbench.addresses import workbench_url

MAX_USES = 50

# Name and address of each node that uses a file.
Uses = list[tuple[str, str]]


def uses(pack: Pack, keys: Iterable[str]) -> dict[str, Uses]:
    """What uses each of some files, or a folder that it lies in; the first so many nodes."""
    found: dict[str, Uses] = {
        key: [(str(pack), workbench_url(pack, pack))] if key == PROOF_FILE else [] for key in keys
    }
    by_name: dict[str, list[str]] = defaultdict(list)
    for key in found:
        for name in names_of(key):
            by_name[name].append(key)
    for row, asked in users_of(pack, NodeKind.ASSET, by_name):
        for key in {key for name in asked.used for key in by_name[name]}:
            if len(found[key]) < MAX_USES:
                found[key].append((str(row), workbench_url(pack, row)))
        if all(len(each) >= MAX_USES for each in found.values()):
            break
    return found


def names_of(key: str) -> list[str]:
    """A file's key and the folders that it lies in."""
    own = key.strip()
    return [own, *(str(folder) for folder in PurePosixPath(own).parents if str(folder) != ".")] if own else []
