"""What a page sent and knows no answer to: its earlier words do not stand against its later ones."""

from dataclasses import replace

from django.http import HttpRequest

from packs.editing import Applied, Change, Conflict
from packs.editing.pointers import value_at
from packs.formats.comparing import same
from packs.formats.document import Document
from packs.formats.findings import from_pointer
from packs.forms.state import State
from packs.jobs import edit_or_start
from packs.views.workbench.desk import Desk

BEFORE = "before:"


def without_own(request: HttpRequest, desk: Desk, state: State, applied: Applied, pointer: str) -> Applied:
    """Make the changes that conflict only with what the same page sent before, and keep the other conflicts.

    Parameters whose names begin with `before:` are that: the controls at `pointer` as they were sent. `state` is the
    document that both were typed upon.
    """
    before = [
        (name.removeprefix(BEFORE), str(value)) for name, value in request.POST.items() if name.startswith(BEFORE)
    ]
    if not before:
        return applied
    known = state.read(before, pointer).document
    own = [conflict for conflict in applied.conflicts if is_own(conflict, desk, known)]
    if not own:
        return applied
    changes = [Change(conflict.kind, conflict.node, conflict.pointer, conflict.yours) for conflict in own]
    done = edit_or_start(desk.pack, changes, desk.user)
    left = [conflict for conflict in applied.conflicts if conflict not in own]
    return replace(done, conflicts=left, renamed=[*applied.renamed, *done.renamed])


def is_own(conflict: Conflict, desk: Desk, known: Document) -> bool:
    """Whether what stands at the place of a conflict is what the page sent for it."""
    if (conflict.kind, conflict.node) != (desk.kind, desk.row.pk):
        return False
    return same(conflict.theirs, value_at(known, from_pointer(conflict.pointer)))
