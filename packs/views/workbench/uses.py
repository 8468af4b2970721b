"""Which nodes of a draft use a file: by its key, by its path, or by a folder that it lies in."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePosixPath

from packs.editing import TooManyFollow, users_of
from packs.formats.document import PROOF_FILE, NodeKind
from packs.models import Pack
from packs.views.workbench.addresses import workbench_url

# So many uses of a file are shown, and so many nodes that may be one are read for all files together.
MAX_USES, MAX_READ = 50, 2_000

# Name and address of each node that uses a file.
Uses = list[tuple[str, str]]


def uses(pack: Pack, keys: Iterable[str]) -> dict[str, Uses | None]:
    """What uses each of some files, or a folder that it lies in; the first so many nodes.

    None where no use was found before too many nodes were read.
    """
    found: dict[str, Uses] = {
        key: [(str(pack), workbench_url(pack, pack))] if key == PROOF_FILE else [] for key in keys
    }
    by_name: dict[str, list[str]] = defaultdict(list)
    for key in found:
        for name in names_of(key):
            by_name[name].append(key)
    try:
        for row, asked in users_of(pack, NodeKind.ASSET, by_name, most=MAX_READ):
            for key in {key for name in asked.used for key in by_name[name]}:
                if len(found[key]) < MAX_USES:
                    found[key].append((str(row), workbench_url(pack, row)))
            if all(len(each) >= MAX_USES for each in found.values()):
                break
    except TooManyFollow:
        return {key: each or None for key, each in found.items()}
    return {**found}


def names_of(key: str) -> list[str]:
    """A file's key and the folders that it lies in."""
    own = key.strip()
    return [own, *(str(folder) for folder in PurePosixPath(own).parents if str(folder) != ".")] if own else []
