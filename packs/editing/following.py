"""What follows the names that edits change where they are declared: keys of nodes, and names inside of documents.

A name that is typed in its place is that of one node. What refers to it follows in the whole draft once nothing else
has the old name; until then only what the node itself says follows.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

from packs.editing import moving, renaming
from packs.editing.differences import single_steps
from packs.editing.draft import Draft
from packs.editing.renaming import above_of, lead, users_of
from packs.editing.values import NodeId, Renamed
from packs.formats import adapter_of
from packs.formats.abilities import MOVERS
from packs.formats.document import NodeKind
from packs.formats.names import Asked, homes_of
from packs.models import Edit

# Another node that still declares a name is looked for among so many.
LOOKED_AT = 500
# So many earlier names of a place are looked at: a name is often typed letter by letter.
FORMER = 50


def follow(draft: Draft, most: int | None = None) -> None:
    """Lead references along to the names that things got in this draft; `draft.renamed` says what that changed.

    Raises TooManyFollow where more than `most` nodes of a kind may have to follow.
    """
    renaming.follow(draft, most)
    if mover := MOVERS.get(draft.pack.format):
        moving.follow(draft, mover, most)
    for row, sort, olds, new in list(_named_anew(draft)):
        old = next((old for old in olds if old != new and not _homes(draft, row, sort, old)), "")
        # A name that another thing of the node has as well is nobody's: references wait for the next.
        if old and _homes(draft, row, sort, new) == 1:
            _lead(draft, row, sort, old, new, most)


def _named_anew(draft: Draft) -> Iterator[tuple[Any, str, Iterator[str], str]]:
    """The rows in which a text that declares a name was edited: the sort, the old names, the latest first, the new."""
    changed: dict[NodeId, list[Edit]] = defaultdict(list)
    for edit in draft.edits:
        if edit.action == Edit.Action.SET and edit.old and edit.new and edit.pointer:
            changed[NodeKind(edit.kind), edit.node].append(edit)
    for node, edits in changed.items():
        places = _places(draft.adapter.NAME, node[0])
        for edit in edits if places else ():
            sort = next((sort for place, sort in places if place.fullmatch(edit.pointer)), "")
            new = _text(edit.new[0])
            if sort and new:
                yield draft.get(*node), sort, _former(draft, edit), new


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


@cache
def _places(format_name: str, kind: NodeKind) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The pointers of texts that declare names in documents of a kind, each with the sort of name."""
    homes = homes_of(adapter_of(format_name).SCHEMA.get(kind, {}))
    return tuple(
        (re.compile(rf"{re.escape(home.pointer)}/[0-9]+(?:/{re.escape(home.named)})?"), home.name) for home in homes
    )


def _former(draft: Draft, edit: Edit) -> Iterator[str]:
    """The names that stood at a place, the latest first."""
    yield _text(edit.old[0])
    past = Edit.objects.filter(pack=draft.pack, kind=edit.kind, node=edit.node, pointer=edit.pointer, undone=False)
    yield from (_text(old[0]) for old in past.order_by("-id").values_list("old", flat=True)[:FORMER] if old)


def _homes(draft: Draft, row: Any, sort: str, name: str) -> int:
    """How many things of a sort a row declares under a name; a blank name is never free."""
    asked = Asked({name: name})
    draft.adapter.renamed(row.kind, row.document, sort, asked, above_of(draft.pack, row))
    return asked.homes[name] if name else 1


def _lead(draft: Draft, row: Any, sort: str, old: str, new: str, most: int | None) -> None:
    """Have references follow: everywhere, or within the row where another one has the old name."""
    if not _is_elsewhere(draft, row, sort, old):
        lead(draft, sort, None, {old: new}, {}, most)
        return
    asked = Asked({old: new})
    document = draft.adapter.renamed(row.kind, row.document, sort, asked, above_of(draft.pack, row))
    if document != row.document:
        draft.rewrite(row, single_steps(row.document, document))
        draft.renamed.append(Renamed(sort, [(old, new)], Counter({row.kind: 1}), asked.places))


def _is_elsewhere(draft: Draft, row: Any, sort: str, name: str) -> bool:
    """Whether another node declares something of a name, as far as it is looked for."""
    if row.kind is NodeKind.PACK:
        return False
    for count, (other, asked) in enumerate(users_of(draft.pack, sort, [name])):
        known = draft.changed.get((other.kind, other.pk))
        if (other.kind, other.pk) == (row.kind, row.pk):
            continue
        if known is None and asked.homes[name]:
            return True
        if known is not None and _homes(draft, known, sort, name):
            return True
        if count > LOOKED_AT:
            return True
    return False
