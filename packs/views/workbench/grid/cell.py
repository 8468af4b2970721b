"""One cell of a grid: edited in place, checked while it is typed, saved as one edit."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.editing import Applied, Change, EditRefused
from packs.editing.pointers import replaced
from packs.formats.costs import is_heavy
from packs.formats.document import NodeKind
from packs.formats.findings import Finding, from_pointer
from packs.formats.structure.model import schema_at, types_of
from packs.formats.tables.texts import plain
from packs.grid.cells import shown
from packs.grid.changing import Refusal, change_at, findings_with, schema_of, typed
from packs.grid.columns import Column, column_at, place, value_in
from packs.jobs import edit_or_start
from packs.views.shared.fragments import wants_part
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, node_url
from packs.views.workbench.answers import news, tell
from packs.views.workbench.desk import Desk, open_desk
from packs.views.workbench.editor import revision_of
from packs.views.workbench.grid.page import cell_of, is_about, notes_of

UNCHECKED = "This case is too large to be checked while you type. A job saves and checks it."


def open_cell(
    request: HttpRequest, team: str, slug: str, ref: NodeRef, *, to_edit: bool = True
) -> tuple[Desk, Column, str]:
    """The case and the column that a request names with `at`. Raises Http404."""
    if ref.kind is not NodeKind.CASE:
        raise Http404
    desk = open_desk(request, team, slug, ref, to_edit=to_edit)
    pointer = request.POST.get("at", request.GET.get("at", ""))
    column = column_at(desk.adapter, desk.row.input_set, pointer)
    if column is None:
        raise Http404
    return desk, column, pointer


@signed_in("GET")
def show(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """A cell: as it is, or with `edit` as the control that changes it. Parameters: at, edit."""
    editing = "edit" in request.GET
    desk, column, _ = open_cell(request, team, slug, ref, to_edit=editing)
    return render_cell(request, desk, column, editing=editing)


def render_cell(
    request: HttpRequest, desk: Desk, column: Column, *, editing: bool = False, status: int = 200, **more: Any
) -> HttpResponse:
    context = {"desk": desk, "pack": desk.pack, "cell": cell_of(desk.pack, desk.row, column), "ref": desk.ref, **more}
    context |= {"cell_url": desk.act_url("edit-cell"), "case_url": node_url(desk.pack, desk.ref)}
    if editing:
        context |= control_of(desk, column)
        template = "packs/workbench/grid/_cell_edit.html"
    else:
        template = "packs/workbench/grid/_cell_saved.html" if more else "packs/workbench/grid/_cell.html"
    return render(request, template, context, status=status)


def control_of(desk: Desk, column: Column) -> dict[str, Any]:
    """How the value of a cell is edited: by a choice, a line or a text."""
    document = desk.row.document
    schema = schema_at(schema_of(desk.pack, document), document, column.pointer) or column.schema
    value = value_in(document, column.pointer)
    text = shown(value)
    options = [shown(option) for option in schema.get("enum", ())]
    if types_of(schema) == ("boolean",):
        options = ["true", "false"]
    if options and text and text not in options:
        options.append(text)
    return {"value": plain(text), "options": options, "suggestions": column.choices, "is_long": "\n" in text}


@signed_in("POST")
def check(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """What a check would find with this text in the cell; nothing is saved. Parameters: at, text."""
    desk, column, pointer = open_cell(request, team, slug, ref)
    text = request.POST.get("text", "")
    if is_heavy(desk.row.document):
        return render(request, "packs/workbench/grid/_cell_findings.html", {"refusal": UNCHECKED})
    try:
        schema = schema_of(desk.pack, desk.row.document)
        change = change_at(schema, desk.row.document, pointer, typed(schema, desk.row.document, pointer, text))
    except Refusal as refusal:
        return render(request, "packs/workbench/grid/_cell_findings.html", {"refusal": refusal.message})
    document = desk.row.document
    if change is not None:
        document = replaced(document, from_pointer(change[0]), change[1])
    found = findings_with(desk.pack, desk.row, document)
    return render(request, "packs/workbench/grid/_cell_findings.html", {"findings": shown_at(desk, column, found)})


def shown_at(desk: Desk, column: Column, found: list[Finding]) -> list[Finding]:
    """The findings about a cell, and those elsewhere in the case that are new."""
    steps = place(desk.row.document, column.pointer) or tuple(from_pointer(column.pointer))
    known = {(item["code"], tuple(item["path"])) for item in desk.row.findings}
    return [item for item in found if is_about(item.path, steps) or (item.code, item.path) not in known]


@signed_in("POST")
def save(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Save a cell. Parameters: at, text, seen. Answers with the cell and the state of its case; 409 for a conflict."""
    desk, column, pointer = open_cell(request, team, slug, ref)
    try:
        applied = keep(desk, pointer, request.POST.get("text", ""), revision_of(request))
    except (Refusal, EditRefused) as refusal:
        more = {"refusal": refusal.message, "typed": request.POST.get("text", "")}
        return render_cell(request, desk, column, editing=True, status=422, **more)
    if not wants_part(request):
        if applied is not None:
            tell(request, applied)
        return redirect(node_url(desk.pack, desk.ref, pointer))
    desk.row.refresh_from_db()
    if applied is not None and applied.conflicts:
        conflict = applied.conflicts[0]
        theirs, yours = shown(conflict.theirs), request.POST.get("text", "")
        return render_cell(
            request, desk, column, editing=True, status=409, conflict=conflict, theirs=theirs, typed=yours
        )
    case = {"errors": desk.row.error_count, "warnings": desk.row.warning_count, "notes": notes_of(desk.row.findings)}
    back = f"{NodeRef(NodeKind.INPUT_SET, desk.row.input_set_id).path}/rows"
    return render_cell(request, desk, column, case=case, back=back, renamed=news(applied) if applied else ())


def keep(desk: Desk, pointer: str, text: str, revision: int) -> Applied | None:
    """Write what was typed; None where it is what stands there.

    Raises Refusal and EditRefused.
    """
    document = desk.row.document
    schema = schema_of(desk.pack, document)
    change = change_at(schema, document, pointer, typed(schema, document, pointer, text))
    if change is None:
        return None
    wanted = Change(NodeKind.CASE, desk.row.pk, *change)
    name = ".".join(from_pointer(pointer))
    return edit_or_start(desk.pack, [wanted], desk.user, revision, f"Change {name} of {desk.row.key}")
