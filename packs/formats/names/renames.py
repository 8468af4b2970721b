"""Another name for one thing that a pack declares: what refuses it, and the pack with it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from posixpath import dirname

from packs.formats.abilities import FILE_RENAMERS, MOVERS, FileRenamer
from packs.formats.adapter import Above, Adapter
from packs.formats.document import Address, Asset, Document, NodeKind, Pack
from packs.formats.findings import from_pointer
from packs.formats.fixing.trees import with_documents
from packs.formats.names.declaring import homes_of, noun_of, thing_of
from packs.formats.names.following import Asked
from packs.formats.paths import refused_name

# A name that nothing has.
_NOBODY = "\ue000"
LONGEST = 300
# Where files state their names.
_PATH = "/path"
_FILES = ("/$file", "/file")


class RenameRefused(Exception):
    """A name that cannot be given, or a thing that is not there; the message is a sentence.

    `code` is one of bad_name, name_is_fixed, name_is_taken, name_is_ambiguous and no_such_name.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Part:
    """A node of a pack as renaming sees it."""

    kind: NodeKind
    document: Document
    above: Above
    key: str = ""
    address: Address = Address(NodeKind.PACK)
    content: bytes | None = None

    def named(self, adapter: Adapter, what: str, name: str) -> Asked:
        """How often the node declares and names something."""
        asked = Asked({name: _NOBODY})
        if self.kind in adapter.REFERRERS.get(what, ()):
            adapter.renamed(self.kind, self.document, what, asked, self.above)
        renamer = file_renamer(adapter, what)
        if renamer is not None and self.content is not None:
            renamer.renamed_file(self.key, self.content, asked)
        return asked


def file_renamer(adapter: Adapter, what: str) -> FileRenamer | None:
    """Who knows the files that declare or name things of a kind; None where none does."""
    found = FILE_RENAMERS.get(adapter.NAME)
    return found if found is not None and what in found.SORTS else None


@dataclass(frozen=True, slots=True)
class Renaming:
    """A pack in which something has another name, and how many places changed for it in nodes of each kind.

    `places` counts what names the thing and what declares it.
    """

    pack: Pack
    nodes: Counter[NodeKind]
    places: int


def things(adapter: Adapter) -> dict[str, str]:
    """What packs of a format have that can be given another name: one in words, and the adapter's word."""
    return {thing_of(what): what for what in (*adapter.KEY_POINTERS, *adapter.REFERRERS)}


def require_name(adapter: Adapter, what: str, old: str, new: str) -> None:
    """Raises RenameRefused for a name that nothing of a kind can have."""
    if not new.strip() or new == old:
        raise RenameRefused("bad_name", "Give another name that is not blank.")
    if new != new.strip() or not new.isprintable() or len(new) > LONGEST:
        raise RenameRefused(
            "bad_name", f"A name is one line of at most {LONGEST} characters, without blanks around it."
        )
    pointer = adapter.KEY_POINTERS.get(what)  # type: ignore[call-overload]
    refused = refused_name(new) if pointer == _PATH else None
    if refused is not None:
        raise RenameRefused("bad_name", refused.message)
    fixed = next((name for name in (old, new) if adapter.is_fixed(what, name)), None)
    if fixed is not None:
        raise RenameRefused("name_is_fixed", f"The format gives the name `{fixed}` a meaning of its own; it is fixed.")
    if pointer in _FILES and adapter.NAME not in MOVERS and dirname(old) != dirname(new):
        raise RenameRefused("name_is_fixed", "The file stays in its folder: other files are named as seen from there.")
    if pointer and "enum" in adapter.SCHEMA[NodeKind(what)]["properties"].get(pointer[1:], {}):
        raise RenameRefused(
            "name_is_fixed", f"The format says which {noun_of(what)}s there are; their names are fixed."
        )
    if what not in set(NodeKind) and "." in new:
        raise RenameRefused(
            "bad_name", f"The name of {_a(what)} has no dot: what refers to it would read on behind the dot."
        )


def require_free(adapter: Adapter, what: str, old: str, new: str, parts: Iterable[Part]) -> None:
    """Raises RenameRefused where a name is taken, or would make something mean another thing than before."""
    room = next((room for room in adapter.ROOMS if what in room), frozenset({what}))
    others = sorted(room - {what})
    homes, mixed = set[str](), set[str]()
    for part in parts:
        for sort in (what, *others):
            asked = part.named(adapter, sort, new)
            if asked.homes[new]:
                raise RenameRefused("name_is_taken", f"There is {_a(sort)} `{new}` already.")
            if sort == what and asked.places:
                says = f"`{new}` is named already, though nothing has this name: it would mean this."
                raise RenameRefused("name_is_taken", says)
        homes |= {sort for sort in others if part.named(adapter, sort, old).homes[old]}
        mixed |= {sort for sort in others if _is_mixed(adapter, what, sort, old, part)}
    for sort in sorted(homes & mixed):
        says = f"`{old}` is {_a(sort)} too, and a template may mean either. Rename that first."
        raise RenameRefused("name_is_ambiguous", says)


def _is_mixed(adapter: Adapter, what: str, other: str, old: str, part: Part) -> bool:
    """Whether one text names things of two kinds by the same name."""
    before = part.named(adapter, other, old)
    if not before.places:
        return False
    changed = adapter.renamed(part.kind, part.document, what, {old: _NOBODY}, part.above)
    after = Part(part.kind, changed, part.above).named(adapter, other, old)
    return after.places < before.places


def require_the_way_back(adapter: Adapter, what: str, old: str, new: str, part: Part, changed: Document) -> None:
    """Raises RenameRefused for a name that some reference cannot spell, so that nothing would find it there again."""
    if adapter.renamed(part.kind, changed, what, {new: old}, part.above) != part.document:
        raise RenameRefused(
            "bad_name", f"Something that refers to `{old}` cannot spell `{new}`. Use letters, digits and underscores."
        )


def _a(what: str) -> str:
    noun = {"payload": "payload key", "vars": "value"}.get(what, noun_of(what))
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def parts_of(pack: Pack) -> Iterator[Part]:
    """The nodes of a pack."""
    for address, document in pack.nodes():
        inside = pack.input_sets[address.indices[0]].document if address.kind is NodeKind.CASE else {}
        content = pack.assets[address.indices[0]].content if address.kind is NodeKind.ASSET else None
        yield Part(address.kind, document, Above(pack.document, inside), _key_at(pack, address), address, content)


def _key_at(pack: Pack, address: Address) -> str:
    match address.kind:
        case NodeKind.CASE:
            return pack.input_sets[address.indices[0]].cases[address.indices[1]].key
        case NodeKind.CHALLENGE:
            return pack.challenges[address.indices[0]].key
        case NodeKind.INPUT_SET:
            return pack.input_sets[address.indices[0]].key
        case NodeKind.ASSET:
            return pack.assets[address.indices[0]].key
    return ""


def rename(adapter: Adapter, pack: Pack, what: str, old: str, new: str, input_set: str = "") -> Renaming:
    """The pack in which something has another name, as everything that names it says too.

    `input_set` says whose case is meant, where several sets have one of this key. Raises RenameRefused.
    """
    require_name(adapter, what, old, new)
    parts = list(parts_of(pack))
    if what in set(NodeKind):
        return _rename_nodes(adapter, pack, NodeKind(what), old, new, parts, input_set)
    require_free(adapter, what, old, new, parts)
    if not any(part.named(adapter, what, old).homes[old] for part in parts) and not _is_named_only(adapter, what):
        raise RenameRefused("no_such_name", f"There is no {noun_of(what)} `{old}`.")
    return _followed(adapter, pack, what, {old: new}, parts, {})


def _is_named_only(adapter: Adapter, what: str) -> bool:
    """Whether documents name things of a kind without declaring them: they stand in files."""
    return not any(home.name == what for schema in adapter.SCHEMA.values() for home in homes_of(schema))


def _rename_nodes(
    adapter: Adapter, pack: Pack, kind: NodeKind, old: str, new: str, parts: list[Part], input_set: str
) -> Renaming:
    siblings = [part for part in parts if part.kind is kind and _is_in(pack, part, input_set)]
    meant = [part for part in siblings if part.key == old]
    is_folder = is_folder_of(adapter, kind) and not meant
    if is_folder:
        meant = [part for part in siblings if part.key.startswith(f"{old}/")]
    if not meant:
        raise RenameRefused("no_such_name", f"There is no {noun_of(kind)} `{old}`.")
    if len(meant) > 1 and not is_folder:
        raise RenameRefused(
            "name_is_ambiguous", f"{len(meant)} {noun_of(kind)}s have the key `{old}`. Give them different keys first."
        )
    names = {part.key: new + part.key[len(old) :] for part in meant}
    scope = meant[0].address.indices[:1] if kind is NodeKind.CASE else ()
    near = [part for part in parts if not scope or part.address.indices[:1] == scope]
    taken = {part.key for part in siblings if part.kind is kind and (not scope or part in near)}
    for name in names.values():
        if name in taken:
            raise RenameRefused("name_is_taken", f"There is {_a(kind)} `{name}` already.")
    require_free(adapter, kind, old, new, near if kind is not NodeKind.ASSET else ())
    pointer = from_pointer(adapter.KEY_POINTERS[kind])
    own = {part.address: {**part.document, pointer[0]: names[part.key]} for part in meant}
    names |= folders(names, [part.key for part in siblings if part.key not in names])
    return _followed(adapter, pack, kind, names, near, own)


def is_folder_of(adapter: Adapter, kind: NodeKind) -> bool:
    """Whether nodes of a kind are files under their paths, so that folders of them can be named."""
    return adapter.KEY_POINTERS.get(kind) == _PATH


def _is_in(pack: Pack, part: Part, input_set: str) -> bool:
    is_case = part.kind is NodeKind.CASE and bool(input_set)
    return not is_case or pack.input_sets[part.address.indices[0]].key == input_set


def _followed(
    adapter: Adapter,
    pack: Pack,
    what: str,
    names: Mapping[str, str],
    parts: Iterable[Part],
    own: Mapping[Address, Document],
) -> Renaming:
    """The pack in which all that names something has followed; `own` are documents that state another key."""
    nodes, places = Counter[NodeKind](), 0
    changed = dict(own)
    for part in parts:
        asked = Asked(names)
        present = own.get(part.address, part.document)
        found = adapter.renamed(part.kind, present, what, asked, part.above)
        if found != present:
            if what not in set(NodeKind):
                [(old, new)] = names.items()
                require_the_way_back(adapter, what, old, new, part, found)
            changed[part.address] = found
            nodes[part.kind] += 1
            places += asked.places
    found_pack = with_documents(pack, adapter, changed)
    asked = Asked(names)
    if (renamer := file_renamer(adapter, what)) is not None:
        assets = tuple(_in_file(renamer, asset, asked) for asset in found_pack.assets)
        nodes[NodeKind.ASSET] += sum(one != other for one, other in zip(assets, found_pack.assets, strict=True))
        found_pack = replace(found_pack, assets=assets)
    return Renaming(found_pack, +nodes, places + asked.places)


def _in_file(renamer: FileRenamer, asset: Asset, names: Asked) -> Asset:
    if asset.content is None or not renamer.is_read(asset.path):
        return asset
    return replace(asset, content=renamer.renamed_file(asset.path, asset.content, names))


def folders(names: Mapping[str, str], keys: Iterable[str]) -> dict[str, str]:
    """The folders that moved with the last of their files, which keep their names; references to them follow.

    `keys` are those of the files that stay, or that all files have afterwards.
    """
    found: dict[str, set[str]] = {}
    for old, new in names.items():
        before, after = PurePosixPath(old), PurePosixPath(new)
        while before.name == after.name and before.parent.name and after.parent.name:
            before, after = before.parent, after.parent
            found.setdefault(str(before), set()).add(str(after))
    full = {str(folder) for key in keys for folder in PurePosixPath(key).parents} if found else set()
    return {old: new.pop() for old, new in found.items() if old not in full and len(new) == 1}
