"""Another key for a node: what refers to it follows in the same group of edits, by whichever door the key came.

References are at home under one key. Where a node's key is taken away, or is that of a sibling, they stay where they
are; the history tells where, and they follow as soon as the node has a key of its own again.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import PurePosixPath
from typing import Any

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Length

from packs.columns import MAX_SOUGHT, as_stored
from packs.editing.differences import Difference, single_steps
from packs.editing.draft import Draft
from packs.editing.rechecking import MANY, batched
from packs.editing.values import NodeId, Renamed, TooManyFollow
from packs.formats.adapter import Above
from packs.formats.costs import MAX_BYTES
from packs.formats.document import NodeKind
from packs.formats.findings import from_pointer
from packs.formats.names import Asked
from packs.formats.names.renames import folders
from packs.mirror import MODELS, column_text, format_of, ordered
from packs.models import Edit, Pack

Names = dict[str, str]
# Documents are searched for so many keys; for more of them all documents are read.
FEW_KEYS = 20


def follow(draft: Draft, most: int | None = None) -> None:
    """Lead references along to the keys that nodes got in this draft; `draft.renamed` says what that changed.

    References that the same edits state stay as they are stated. Raises TooManyFollow where more than `most` nodes of
    a kind may have to follow.
    """
    stated = stated_in(draft)
    for kind in NodeKind:
        by_scope = defaultdict(list)
        for (of, pk), former in draft.former.items():
            if of is kind and former != key_of(draft, row := draft.get(kind, pk)):
                by_scope[scope_of(row)].append(row)
        for scope, rows in by_scope.items():
            names = moves(draft, kind, scope, rows)
            if names:
                lead(draft, kind, scope, names, stated, most)


# The places of documents, by node, of which edits say what stands there.
Stated = Mapping[NodeId, list[tuple[str, ...]]]


def stated_in(draft: Draft) -> Stated:
    """What the edits of a draft state so far."""
    stated: dict[NodeId, list[tuple[str, ...]]] = defaultdict(list)
    for edit in draft.edits:
        if edit.new:
            stated[NodeKind(edit.kind), edit.node].append(from_pointer(edit.pointer))
    return stated


def unstated(row: Any, document: Any, stated: Stated) -> list[Difference]:
    """The steps to another document of a row, but for what edits state."""
    own = stated.get((row.kind, row.pk), ())
    steps = single_steps(row.document, document)
    return [step for step in steps if not any(step.steps[: len(place)] == place for place in own)]


def key_of(draft: Draft, row: Any) -> str:
    """The key that a row's document states; columns hold only the beginning of a long one."""
    key, _ = draft.adapter.identify(row.kind, row.document)
    return key


def scope_of(row: Any) -> int | None:
    """The input set in which a case is referred to; nothing for other nodes."""
    return row.input_set_id if row.kind is NodeKind.CASE else None


def rows_in(pack: Pack, kind: NodeKind, scope: int | None) -> QuerySet[Any]:
    rows: QuerySet[Any] = MODELS[kind].objects.filter(**{"pk" if kind is NodeKind.PACK else "pack": pack.pk})
    return rows.filter(input_set=scope) if scope is not None and kind is NodeKind.CASE else rows


@dataclass(frozen=True, slots=True)
class Siblings:
    """The keys of nodes of one kind, in their order, by id: as they are stored, and as they will be."""

    before: Mapping[int, str]
    after: Mapping[int, str]
    bearers: Mapping[str, list[int]]
    heirs: Mapping[str, list[int]]


def siblings_of(draft: Draft, kind: NodeKind, scope: int | None, rows: Iterable[Any]) -> Siblings:
    before = dict(ordered(rows_in(draft.pack, kind, scope)).values_list("pk", "key"))
    after = before | {row.pk: row.key for row in rows}
    return Siblings(before, after, grouped(before), grouped(after))


def grouped(keys: Mapping[int, str]) -> Mapping[str, list[int]]:
    """The ids that bear each key; an empty one is none."""
    found: dict[str, list[int]] = defaultdict(list)
    for pk, key in keys.items():
        if key:
            found[key].append(pk)
    return found


def moves(draft: Draft, kind: NodeKind, scope: int | None, rows: list[Any]) -> Names:
    """From which key to which the references to nodes move, when these rows of one kind have got other keys.

    Those that bore the same keys may move too: what was shared may be theirs alone now.
    """
    siblings = siblings_of(draft, kind, scope, rows)
    renamed = {row.pk: row for row in rows}
    near = {other for pk in renamed for other in siblings.bearers.get(siblings.before[pk], ())} | set(renamed)
    unsure = {pk for pk in near if len(siblings.bearers.get(siblings.before[pk], ())) != 1}
    past = pasts(draft, kind, unsure)
    names: Names = {}
    for pk in (pk for pk in siblings.after if pk in near and len(siblings.heirs.get(siblings.after[pk], ())) == 1):
        old = home(siblings, past, pk) if pk in unsure else draft.former[kind, pk]
        new = key_of(draft, renamed[pk]) if pk in renamed else siblings.after[pk]
        if old and old != new:
            names.setdefault(old, new)
    return names | folders(names, siblings.heirs) if kind is NodeKind.ASSET else names


# The keys that a node had, the latest first, each with the id of the edit that ended it.
Past = list[tuple[int, str]]


def pasts(draft: Draft, kind: NodeKind, nodes: set[int]) -> dict[int, Past]:
    """The earlier keys of nodes, as the edits that stand tell them; a node that was added had none before."""
    adapter, pointer = draft.adapter, draft.adapter.KEY_POINTERS[kind]
    actions = (Edit.Action.SET, Edit.Action.ADD)
    edits = Edit.objects.filter(pack=draft.pack, kind=kind, undone=False, action__in=actions)
    found: dict[int, Past] = defaultdict(list)
    for some in batched(nodes):
        rows = edits.filter(node__in=some, pointer__in=["", pointer]).order_by("-id")
        for pk, node, at, old in rows.values_list("pk", "node", "pointer", "old"):
            value = old[0] if old else {}
            document = value if at == "" else {from_pointer(pointer)[0]: value}
            key = adapter.identify(kind, document)[0] if isinstance(document, dict) else ""
            found[node].append((pk, key))
    return found


def home(siblings: Siblings, past: Mapping[int, Past], pk: int) -> str:
    """The key under which the references to a node are, where its own key is blank or shared; empty for none.

    A shared key belongs to the node that has had it longest. Otherwise they are under the latest key that nobody bears.
    """
    bearers = siblings.bearers.get(siblings.before[pk], ())
    if bearers and min(bearers, key=lambda bearer: past.get(bearer, [(0, "")])[0][0]) == pk:
        return siblings.before[pk]
    return next((key for _, key in past.get(pk, ()) if key and column_text(key) not in siblings.bearers), "")


def lead(
    draft: Draft,
    what: str,
    scope: int | None,
    names: Names,
    stated: Stated,
    most: int | None,
) -> None:
    """Write the new names of nodes of a kind, or of what documents declare, wherever the old ones are referred to."""
    followers: Counter[NodeKind] = Counter()
    asked = Asked(names)
    for row, document in referring(draft, what, scope, asked, most):
        if wanted := unstated(row, document, stated):
            followers[row.kind] += 1
            draft.rewrite(row, wanted)
    if followers:
        pairs = [(old, new) for old, new in names.items() if old in asked.used]
        draft.renamed.append(Renamed(what, pairs, followers, asked.places))


def referring(draft: Draft, what: str, scope: int | None, names: Asked, most: int | None) -> Iterator[tuple[Any, Any]]:
    """The rows that refer to old keys, each with the document in which they are the new ones.

    Raises TooManyFollow where more than `most` rows of a kind may do so.
    """
    for kind in draft.adapter.REFERRERS[what]:
        changed = {pk for of, pk in draft.changed if of is kind and (of, pk) not in draft.written}
        pks = set(rows_naming(draft.pack, kind, names, scope).values_list("pk", flat=True)) - changed
        if most is not None and len(pks) > most:
            raise TooManyFollow(len(pks))
        draft.prepare((kind, pk) for pk in pks)
        draft.effects.everything |= len(pks) > MANY
        for row in [draft.get(kind, pk) for pk in (*sorted(changed), *sorted(pks))]:
            if scope is None or scope_of(row) == scope:
                document = draft.adapter.renamed(kind, row.document, what, names, above_of(draft.pack, row))
                if document != row.document:
                    yield row, document


def above_of(pack: Pack, row: Any) -> Above:
    """The documents that a row stands below."""
    return Above(pack.document, row.input_set.document) if row.kind is NodeKind.CASE else Above(pack.document)


def rows_naming(pack: Pack, kind: NodeKind, keys: Iterable[str], scope: int | None = None) -> QuerySet[Any]:
    """The nodes of a kind whose documents hold the last part of one of these keys, as a word; of many keys, all."""
    rows = rows_in(pack, kind, scope)
    ends = {as_stored(PurePosixPath(key).name or key) for key in keys}
    return rows.filter(reduce(or_, map(holding, ends))) if len(ends) <= FEW_KEYS else rows


def holding(name: str) -> Q:
    """Documents in which a name stands by itself: the input `x` is not named by every text with an x in it."""
    start = r"(?:(?<!\w)|(?<=\\[nrt]))" if re.match(r"\w", name) else ""
    end = r"(?!\w)" if re.search(r"\w$", name) and len(name) < MAX_SOUGHT else ""
    return Q(document__contains=name) & Q(document__regex=f"{start}{re.escape(name)}{end}")


def users_of(
    pack: Pack, what: str, keys: Iterable[str], scope: int | None = None, most: int | None = None
) -> Iterator[tuple[Any, Asked]]:
    """The rows that refer to nodes of the kind `what`, or declare or name what documents hold, by some of these keys.

    Kind by kind, each with what was asked: `used` has the keys. `scope` is the input set of cases that name each other.

    Raises TooManyFollow where more than `most` rows, or with it rows of more than `MAX_BYTES`, would have to be read.
    """
    read, size = 0, 0
    adapter = format_of(pack)
    names = {key: f"{key}-elsewhere" for key in keys}
    for kind in adapter.REFERRERS.get(what, ()) if names else ():
        rows = rows_naming(pack, kind, names, scope).order_by("pk")
        rows = rows.select_related("input_set") if kind is NodeKind.CASE else rows
        for row in rows.annotate(size=Length(F("document"))).iterator(MANY):
            read, size = read + 1, size + row.size
            if most is not None and (read > most or size > MAX_BYTES):
                raise TooManyFollow(read)
            asked = Asked(names)
            adapter.renamed(kind, row.document, what, asked, above_of(pack, row))
            if asked.used:
                yield row, asked
