"""Files of a pack in which something has another name: written into the texts, so that comments and layout stay.

Where that cannot be, the files that change are written in the canonical form.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from packs.formats import adapter_of
from packs.formats.adapter import Adapter, Files
from packs.formats.document import Address, Document, NodeKind, Pack
from packs.formats.findings import Finding, Path, Severity
from packs.formats.fixing import Act, Fix
from packs.formats.fixing.files import spliced
from packs.formats.names.renames import Renaming, rename
from packs.formats.preserving import preserved

# Says where a text stands; nobody sees it.
_PLACE = Finding("", Severity.NOTE, (), "")


@dataclass(frozen=True, slots=True)
class Renamed:
    """The files that change or come, those that go, and what the rename did."""

    files: Mapping[str, bytes]
    gone: tuple[str, ...]
    renaming: Renaming


def rename_in_files(files: Files, pack: Pack, what: str, old: str, new: str, input_set: str = "") -> Renamed:
    """Files of a pack, which was read from them, in which something has another name. Raises RenameRefused."""
    adapter = adapter_of(pack.format)
    found = rename(adapter, pack, what, old, new, input_set)
    moved = _moved(files, pack, found.pack)
    written = _written(adapter, moved, pack, found.pack)
    return Renamed(
        {name: data for name, data in written.items() if files.get(name) != data},
        tuple(name for name in files if name not in moved),
        found,
    )


def _moved(files: Files, before: Pack, after: Pack) -> dict[str, bytes]:
    """The files with those moved that assets have at other paths now, and the bytes of those that have others."""
    moved: dict[str, tuple[str, bytes]] = {}
    for old, new in zip(before.assets, after.assets, strict=True):
        if (old.path, old.content) == (new.path, new.content):
            continue
        # A folder that was given may stand around all files of the pack.
        ends = sorted((name for name in files if name == old.path or name.endswith(f"/{old.path}")), key=len)
        for name in ends[:1]:
            data = files[name] if new.content == old.content or new.content is None else new.content
            moved[name] = (name[: len(name) - len(old.path)] + new.path, data)
    return dict(moved.get(name, (name, data)) for name, data in files.items())


def _written(adapter: Adapter, files: Files, before: Pack, after: Pack) -> Files:
    fixes = [
        (address, _PLACE, Fix("", document, act, path, value))
        for address, document, other in _changed(before, after)
        for act, path, value in _steps(document, other, ())
    ]
    found = spliced(adapter, files, fixes)
    read, _ = adapter.load(found)
    if read == after:
        return found
    canonical = adapter.dump(after)
    return preserved(canonical, adapter.dump(before), files)


def _changed(before: Pack, after: Pack) -> Iterator[tuple[Address, Document, Document]]:
    for (address, old), (_, new) in zip(before.nodes(), after.nodes(), strict=True):
        if old != new and address.kind is not NodeKind.ASSET:
            yield address, old, new


def _steps(old: Any, new: Any, path: Path) -> Iterator[tuple[Act, Path, Any]]:
    """What changes between two values that differ in names alone: texts, and keys of mappings."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, other in zip(old, new, strict=True):
            yield from _steps(old[key], new[other], (*path, key))
            if key != other:
                yield Act.RENAME, (*path, key), other
    elif isinstance(old, list) and isinstance(new, list):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _steps(one, other, (*path, index))
    elif old != new:
        yield Act.SET, path, new
