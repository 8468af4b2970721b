"""Another name for anything that a draft declares, as one edit; and what follows a name that was typed in its place.

Everything of one name follows, in the whole draft: evidence of `case.inputs.question` means that input of every case.
"""

from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from packs import blobs
from packs.editing.changes import apply
from packs.editing.differences import single_steps
from packs.editing.draft import Author, Draft, changing
from packs.editing.nodes import set_content
from packs.editing.renaming import above_of, rows_in, rows_naming, users_of
from packs.editing.values import Applied, Change, EditRefused, Renamed, TooManyFollow
from packs.formats.adapter import Above
from packs.formats.document import NodeKind
from packs.formats.names import Asked, noun_of
from packs.formats.names.renames import (
    Part,
    RenameRefused,
    file_renamer,
    is_folder_of,
    require_free,
    require_name,
    require_the_way_back,
)
from packs.mirror import MODELS, column_text, format_of
from packs.models import Pack

# A draft is read so many rows at a time.
ROWS = 500


@dataclass(frozen=True, slots=True)
class Thing:
    """What gets another name: a node, or what documents declare under a name (`what` as in `Adapter.REFERRERS`).

    `node` says which one is meant, where several sets have a case of this key.
    """

    what: str
    name: str
    node: int | None = None

    def __str__(self) -> str:
        return f"{noun_of(self.what)} {self.name}"


@dataclass(slots=True)
class Foreseen:
    """At how many places of how many nodes of each kind a thing is declared and named, as far as was looked for it."""

    places: int = 0
    nodes: Counter[NodeKind] = field(default_factory=Counter)
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class FilePart(Part):
    """A file whose bytes name things; `node` is the id of its asset."""

    node: int = 0


def foresee(pack: Pack, thing: Thing, most: int | None = None) -> Foreseen:
    """Where a thing is declared and named; a node's own key does not count. At most `most` nodes are read.

    Raises EditRefused (no_such_name) where the draft has none of this name.
    """
    rows = nodes_of(pack, thing)
    keys = [row.key for row in rows] if rows else [thing.name]
    # A folder is named by its own path, too.
    keys += [thing.name] if thing.name not in keys else []
    found, homes = Foreseen(), 0
    try:
        for row, asked in users_of(pack, thing.what, keys, scope_of(rows), most):
            found.places += asked.places
            found.nodes[row.kind] += 1
            homes += asked.homes[thing.name]
    except TooManyFollow:
        found.is_whole = False
    for part in files_naming(pack, thing.what):
        asked = part.named(format_of(pack), thing.what, thing.name)
        found.places += asked.places
        found.nodes[NodeKind.ASSET] += bool(asked.places)
    if found.is_whole and not rows and not homes and not found.places:
        raise EditRefused("no_such_name", f"There is no {thing} any more.")
    return found


def rename(pack: Pack, thing: Thing, new: str, author: Author, most: int | None = None) -> Applied:
    """Give a thing another name, wherever it is declared and named; one undo takes it back.

    Raises EditRefused with the code of RenameRefused, and TooManyFollow where more than `most` nodes would follow.
    """
    try:
        require_name(format_of(pack), thing.what, thing.name, new)
        rows = nodes_of(pack, thing)
        return (
            _rename_nodes(pack, thing, new, rows, author, most)
            if rows
            else _rename_inside(pack, thing, new, author, most)
        )
    except RenameRefused as refused:
        raise EditRefused(refused.code, str(refused)) from refused


def nodes_of(pack: Pack, thing: Thing) -> list[Any]:
    """The nodes that get another key: one, or all files of a folder; none for what documents declare.

    Raises EditRefused (no_such_name, name_is_ambiguous).
    """
    if thing.what not in set(NodeKind):
        return []
    kind, adapter = NodeKind(thing.what), format_of(pack)
    if kind not in adapter.KEY_POINTERS:
        raise EditRefused("no_such_name", f"The name of {thing} is no key.")
    rows = MODELS[kind].objects.filter(pack=pack)
    found = list(rows.filter(pk=thing.node) if thing.node else rows.filter(key=column_text(thing.name))[:2])
    if not found and is_folder_of(adapter, kind):
        found = list(rows.filter(key__startswith=f"{thing.name}/"))
    elif len(found) > 1:
        says = f"Several {noun_of(kind)}s have the key `{thing.name}`. Rename them where they are edited."
        raise EditRefused("name_is_ambiguous", says)
    if not found:
        raise EditRefused("no_such_name", f"There is no {thing} any more.")
    return found


def scope_of(rows: list[Any]) -> int | None:
    """The input set in which cases name each other."""
    return rows[0].input_set_id if rows and rows[0].kind is NodeKind.CASE else None


def _rename_nodes(pack: Pack, thing: Thing, new: str, rows: list[Any], author: Author, most: int | None) -> Applied:
    adapter, kind, scope = format_of(pack), NodeKind(thing.what), scope_of(rows)
    keys = {row.pk: adapter.identify(kind, row.document)[0] for row in rows}
    names = {pk: new + key[len(thing.name) :] for pk, key in keys.items()}
    siblings = rows_in(pack, kind, scope)
    taken = siblings.filter(key__in=map(column_text, names.values())).values_list("key", flat=True).first()
    if taken is not None:
        raise RenameRefused("name_is_taken", f"There is a {noun_of(kind)} `{taken}` already.")
    if kind is not NodeKind.ASSET:
        require_few(pack, kind, [new], scope, most)
        _require_free(pack, thing, new, [new], scope)
    pointer = adapter.KEY_POINTERS[kind]
    changes = [Change(kind, row.pk, pointer, names[row.pk]) for row in rows]
    return apply(pack, changes, author, label=f"Rename {thing} to {new}", most_followers=most)


def _rename_inside(pack: Pack, thing: Thing, new: str, author: Author, most: int | None) -> Applied:
    require_few(pack, thing.what, [thing.name, new], None, most)
    with changing(pack, author, f"Rename {thing} to {new}") as draft:
        adapter = draft.adapter
        _require_free(draft.pack, thing, new, [thing.name, new])
        asked, nodes = Asked({thing.name: new}), Counter[NodeKind]()
        nodes[NodeKind.ASSET] += _rename_in_files(draft, thing.what, asked)
        for row in list(_rows_naming(draft.pack, thing.what, [thing.name])):
            if row.kind is not NodeKind.PACK:
                draft.rows[row.kind, row.pk] = row
            row = draft.get(row.kind, row.pk)
            above = above_of(draft.pack, row)
            changed = adapter.renamed(row.kind, row.document, thing.what, asked, above)
            if changed == row.document:
                continue
            require_the_way_back(adapter, thing.what, thing.name, new, Part(row.kind, row.document, above), changed)
            nodes[row.kind] += 1
            draft.rewrite(row, single_steps(row.document, changed))
        if not nodes.total():
            raise RenameRefused("no_such_name", f"There is no {thing} any more.")
        draft.effects.everything |= nodes.total() > ROWS
        draft.renamed.append(Renamed(thing.what, [(thing.name, new)], +nodes, asked.places))
        return draft.finish()


def _rename_in_files(draft: Draft, what: str, names: Asked) -> int:
    """Write the new names into the files that declare or name things; how many files changed."""
    renamer, changed = file_renamer(draft.adapter, what), 0
    for part in files_naming(draft.pack, what) if renamer else ():
        content = part.content or b""
        data = renamer.renamed_file(part.key, content, names) if renamer else content
        if data != content:
            set_content(draft, draft.get(NodeKind.ASSET, part.node), blobs.put(data))
            changed += 1
    # What a file lists is what any suite may name.
    draft.effects.everything |= changed > 0
    return changed


def files_naming(pack: Pack, what: str) -> Iterator[FilePart]:
    """The files whose bytes may declare or name things of a kind."""
    renamer = file_renamer(format_of(pack), what)
    rows = pack.assets.exclude(blob=None).values_list("pk", "path", "blob") if renamer else ()
    for pk, path, digest in rows:
        if renamer and renamer.is_read(path):
            yield FilePart(NodeKind.ASSET, {}, Above({}), path, content=blobs.read(digest), node=pk)


def require_few(pack: Pack, what: str, names: list[str], scope: int | None, most: int | None) -> None:
    """Raises TooManyFollow where more than `most` nodes have to be read before something gets another name."""
    if most is not None:
        count = sum(rows_naming(pack, kind, names, scope).count() for kind in kinds_naming(pack, what))
        if count > most:
            raise TooManyFollow(count)


def kinds_naming(pack: Pack, what: str) -> list[NodeKind]:
    """The kinds of nodes that may declare or name something, or what shares a room with it."""
    adapter = format_of(pack)
    rooms = [other for room in adapter.ROOMS if what in room for other in room] or [what]
    return sorted({kind for other in rooms for kind in adapter.REFERRERS.get(other, ())})


def _require_free(pack: Pack, thing: Thing, new: str, names: list[str], scope: int | None = None) -> None:
    # A refusal comes in the middle of the rows, and no open cursor is to outlive it.
    with closing(parts_naming(pack, thing.what, names, scope)) as parts:
        require_free(format_of(pack), thing.what, thing.name, new, parts)


def parts_naming(pack: Pack, what: str, names: list[str], scope: int | None = None) -> Generator[Part, None, None]:
    """The nodes that may declare or name something by one of some names, or what shares a room with it."""
    for kind in kinds_naming(pack, what):
        for row in _rows_of(pack, kind, names, scope):
            yield Part(kind, row.document, above_of(pack, row), row.key if kind is not NodeKind.PACK else "")
    yield from files_naming(pack, what)


def _rows_naming(pack: Pack, what: str, names: list[str]) -> Iterator[Any]:
    for kind in format_of(pack).REFERRERS.get(what, ()):
        yield from _rows_of(pack, kind, names)


def _rows_of(pack: Pack, kind: NodeKind, names: list[str], scope: int | None = None) -> Iterator[Any]:
    rows = rows_naming(pack, kind, names, scope if kind is NodeKind.CASE else None).order_by("pk")
    rows = rows.select_related("input_set") if kind is NodeKind.CASE else rows
    yield from rows.iterator(ROWS)
