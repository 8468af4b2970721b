"""More packs than one among the files: which there are, and the files of one of them."""

from collections.abc import Mapping

from packs.formats import adapter_of, recognise
from packs.formats.adapter import Files
from packs.formats.findings import Finding, Rule

SEVERAL = Rule("pack.E004", "There are {count} packs here: {names}.", hint="Choose the one to read.")
NOT_HERE = Rule("pack.E005", "There is no pack {name!r} among the files.", hint="The packs here are: {names}.")
MAX_NAMES = 20
# The folder in which packs that join their files have them.
EVALS = "evals"


def packs_in(files: Files) -> dict[str, str]:
    """The folders or files that are a pack each, with their formats; empty where all files together are one, or none.

    A folder that has a pack's file at its top is one pack, whatever its own folders hold.
    """
    if len(files) < 2:
        return {}
    folders, loose = _level(files)
    found = _single_files(loose)
    if not found and recognise(loose) is not None:
        return {}
    for folder, inside in folders.items():
        deeper = packs_in(inside)
        found |= {f"{folder}/{name}": format_name for name, format_name in deeper.items()}
        if not deeper and (own := recognise(inside)) is not None:
            found[folder] = own
    return {} if len(found) < 2 or _are_one(files, found) else found


def _are_one(files: Files, found: Mapping[str, str]) -> bool:
    """Whether a format reads all files together as one pack.

    Packs of other formats beside its own folders may be what its cases work on, but not beside folders that hold
    `evals`, which are whole packs.
    """
    whole = recognise(files)
    if whole is None or not adapter_of(whole).JOINS_FILES:
        return False
    own = [name for name, format_name in found.items() if format_name == whole]
    return len(own) == len(found) or not any(path.startswith(f"{name}/{EVALS}/") for name in own for path in files)


def _level(files: Files) -> tuple[dict[str, dict[str, bytes]], dict[str, bytes]]:
    """The files of each folder at the top, named from there, and those in no folder."""
    folders: dict[str, dict[str, bytes]] = {}
    loose = {}
    for name, data in files.items():
        folder, is_inside, rest = name.partition("/")
        if is_inside:
            folders.setdefault(folder, {})[rest] = data
        else:
            loose[name] = data
    return folders, loose


def _single_files(loose: Mapping[str, bytes]) -> dict[str, str]:
    """The files that are a pack each, where none of them is the pack of this folder."""
    known = {name: recognise({name: data}) for name, data in sorted(loose.items())}
    found = {name: own for name, own in known.items() if own is not None and adapter_of(own).MAIN_FILES}
    return {} if len(found) < 2 or any(name in adapter_of(own).MAIN_FILES for name, own in found.items()) else found


def choose(files: Files, pack: str) -> tuple[Files, list[Finding]]:
    """The files of one pack, named from its folder; of a pack that is a file, all but the packs beside it.

    Without a name (empty) all files stay. Where no pack is called so, they stay as well, with a finding.
    """
    if not pack:
        return files, []
    known, wanted = packs_in(files), pack.strip("/")
    if wanted not in known:
        return files, [NOT_HERE.at((), name=pack, names=_listed(known) or "all files are one pack")]
    below = {name[len(wanted) + 1 :]: data for name, data in files.items() if name.startswith(f"{wanted}/")}
    if below:
        return below, []
    above = wanted[: wanted.rfind("/") + 1]
    others = tuple(f"{name}/" for name in known if name != wanted)
    inside = (name for name in files if name.startswith(above) and not f"{name}/".startswith(others))
    return {name.removeprefix(above): files[name] for name in inside}, []


def several(files: Files) -> list[Finding]:
    """What stands in the way where the files are more packs than one."""
    known = packs_in(files)
    return [SEVERAL.at((), count=len(known), names=_listed(known))] if known else []


def _listed(known: Mapping[str, str]) -> str:
    shown = ", ".join(list(known)[:MAX_NAMES])
    return f"{shown} and others" if len(known) > MAX_NAMES else shown
