"""What input sets write from the place of their file follows them to another one, as AgentV's suites do."""

from collections import Counter
from typing import Any

from packs.editing.draft import Draft
from packs.editing.renaming import key_of, pasts, stated_in, unstated
from packs.editing.values import Renamed, TooManyFollow
from packs.formats.abilities import Mover
from packs.formats.document import NodeKind
from packs.models import Case


def follow(draft: Draft, mover: Mover, most: int | None = None) -> None:
    """Have the paths of input sets that got another key in this draft, and of their cases, mean what they meant.

    What the same edits state stays as it is stated. Raises TooManyFollow where more than `most` cases may follow.
    """
    for kind, pk in list(draft.former):
        if kind is NodeKind.INPUT_SET:
            row = draft.get(kind, pk)
            old, new = draft.former[kind, pk] or last_key(draft, pk), key_of(draft, row)
            if old and new and old != new:
                _move(draft, mover, row, old, new, most)


def last_key(draft: Draft, pk: int) -> str:
    """The last key that an input set had which has none."""
    return next((key for _, key in pasts(draft, NodeKind.INPUT_SET, {pk}).get(pk, ()) if key), "")


def _move(draft: Draft, mover: Mover, row: Any, old: str, new: str, most: int | None) -> None:
    files = set(draft.pack.assets.values_list("path", flat=True))
    cases = list(Case.objects.filter(input_set=row).values_list("pk", flat=True))
    if most is not None and len(cases) > most:
        raise TooManyFollow(len(cases))
    draft.prepare((NodeKind.CASE, pk) for pk in cases)
    stated, followers, places = stated_in(draft), Counter[NodeKind](), 0
    for each in (row, *(draft.get(NodeKind.CASE, pk) for pk in cases)):
        if wanted := unstated(each, mover.moved(each.kind, each.document, old, new, files), stated):
            followers[each.kind] += 1
            places += len(wanted)
            draft.rewrite(each, wanted)
    if followers:
        draft.effects.everything |= followers.total() > 1
        draft.renamed.append(Renamed(NodeKind.INPUT_SET, [(old, new)], followers, places))
