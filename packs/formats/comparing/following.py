"""Where a part of a document is in a later state of it."""

from typing import Any

from packs.formats.comparing.values import list_pairs, naming
from packs.formats.findings import Path


def follow(old: Any, new: Any, path: Path) -> Path | None:
    """The path in `new` of the part to which `path` leads in `old`; None where there is none any more.

    Elements of lists are the same as in a difference, so they are found where they moved or got another name.
    """
    found: Path = ()
    for step in path:
        if isinstance(old, dict) and isinstance(new, dict) and step in old and step in new:
            place: int | str = step
        elif isinstance(old, list) and isinstance(new, list):
            pairs = dict(list_pairs(old, new, naming(old, new)))
            if step not in pairs:
                return None
            place = pairs[int(step)]
        else:
            return None
        old, new, found = old[step], new[place], (*found, place)
    return found
