"""What the workbench answers to a change: the same for a field, a button, the YAML lens and a conflict."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest

from packs.editing import ABSENT, Applied, Conflict, travels
from packs.formats.findings import Finding, Rule, from_pointer, index_of
from packs.formats.structure.model import schema_at
from packs.forms.building import Request
from packs.forms.choices import Declared
from packs.forms.encoding import JSON, control_name, encode_pointer, json_text
from packs.forms.fields import Field
from packs.forms.pointers import last_step, parent
from packs.forms.shortcuts import with_shortcuts
from packs.forms.state import Answer, State
from packs.views.workbench.desk import Desk
from packs.views.workbench.rename_links import rename_urls

UNREADABLE = Rule(
    "form.E001",
    "This is not JSON{place}: {reason}.",
    hint="It is not saved yet; what is stored is the last text that could be read.",
)
NAME_TAKEN = Rule("form.E002", "There is already an entry of this name; the old name was kept.")
WOULD_LOSE = Rule("form.W001", "This would lose {lost}. Nothing was changed yet.")


@dataclass(frozen=True, slots=True)
class Dispute:
    """A field that two people changed: both values, and what to submit to take one's own."""

    where: str
    at: str
    author: str
    yours: str
    theirs: str
    name: str
    value: str


def request_for(desk: Desk, answer: Answer | None = None, *, offers: bool = True) -> Request:
    """What the form of the node on the desk is built for; with `answer`, what could not be taken over is shown.

    A form that is not drawn, only its findings, need not offer what the pack declares.
    """
    found = desk.findings
    declared = desk.declared if offers else Declared()
    renames = rename_urls(desk.pack, desk.row, desk.row.document) if offers and desk.may_edit else {}
    if answer is None:
        return Request(findings=found, declared=declared, renames=renames)
    found += [*_troubles(answer)]
    return Request(found, declared, as_json=answer.as_json, unreadable=answer.unreadable, renames=renames)


def _troubles(answer: Answer) -> Iterable[Finding]:
    for pointer, trouble in answer.unreadable.items():
        place = f" (line {trouble.line}, column {trouble.column})" if trouble.line else ""
        yield at(UNREADABLE, pointer, place=place, reason=trouble.reason.rstrip("."))
    for pointer in answer.clashes:
        yield at(NAME_TAKEN, pointer)
    for refusal in answer.refusals:
        yield at(WOULD_LOSE, refusal.pointer, lost=refusal.lost)


def at(rule: Rule, pointer: str, **values: Any) -> Finding:
    """A finding of a rule at a JSON Pointer."""
    return rule.at(from_pointer(pointer), **values)


def form_of(desk: Desk, answer: Answer | None = None, *, offers: bool = True) -> Field:
    """The form of the section on the desk, as the draft is now. What only a drawn form needs is there with `offers`."""
    form = desk.state.field(request_for(desk, answer, offers=offers))
    return with_shortcuts(form) if offers else form


def slots(form: Field) -> list[Field]:
    """The fields of a form that have something to say."""
    return [field for field in form.walk() if field.findings]


def disputes(desk: Desk, conflicts: Iterable[Conflict]) -> list[Dispute]:
    return [dispute(desk, conflict) for conflict in conflicts]


def dispute(desk: Desk, conflict: Conflict) -> Dispute:
    return Dispute(
        where=place_name(desk.state, conflict.pointer),
        at=encode_pointer(conflict.pointer),
        author=conflict.author,
        yours=shown(conflict.yours),
        theirs=shown(conflict.theirs),
        name="" if conflict.yours is ABSENT else control_name(JSON, conflict.pointer),
        value="" if conflict.yours is ABSENT else json_text(conflict.yours, indent=None),
    )


def shown(value: Any) -> str:
    """A value for people to compare."""
    if value is ABSENT:
        return "(removed)"
    return value if isinstance(value, str) else json_text(value)


def place_name(state: State, pointer: str) -> str:
    """A pointer in the words of the form: `Inputs › 1 › Value`."""
    words = []
    while pointer:
        step = last_step(pointer)
        title = schema_at(state.schema, state.document, pointer).get("title", "")
        index = index_of(step)
        words.append(title or step if index is None else str(index + 1))
        pointer = parent(pointer)
    return " › ".join(reversed(words)) or "the whole document"


def is_revision(text: str) -> bool:
    """Whether a page may mean a revision of the draft by this."""
    return text.isascii() and text.isdecimal() and len(text) < 12


def news(applied: Applied) -> list[str]:
    """What an edit did elsewhere, or that a job does the edit."""
    later = ["This edit is too much for a request: a job makes it. Reload the page in a moment."]
    return [*map(str, applied.renamed), *(later if applied.job else [])]


def tell(request: HttpRequest, applied: Applied) -> None:
    """Say on the next page what followed new keys, and what could not be stored as it was given."""
    for sentence in news(applied):
        messages.success(request, sentence)
    for found in applied.noticed.values():
        for finding in found:
            messages.warning(request, f"{finding.message} ({finding.field_path})")


def travel_context(desk: Desk) -> dict[str, bool]:
    """Whether the buttons for undo and redo have something to do."""
    can_undo, can_redo = travels(desk.pack, desk.user) if desk.may_edit else (False, False)
    return {"can_undo": can_undo, "can_redo": can_redo}


def reloaded(desk: Desk, applied: Applied) -> Desk:
    """The desk after an edit: the row as it is now."""
    node = desk.row.kind, desk.row.pk
    row = desk.row if desk.row is desk.pack else applied.rows.get(node, desk.row)
    if row is desk.row and row is not desk.pack and applied.is_written:
        row.refresh_from_db()
    return replace(desk, row=row, noticed=applied.noticed.get(node, []))
