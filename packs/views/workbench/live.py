"""One changed field: saved, checked and answered in time independent of the size of the pack."""

import json
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render

from packs.editing import recheck_aside
from packs.formats.document import NodeKind
from packs.formats.findings import Severity
from packs.formats.structure.model import leaf_at
from packs.forms.encoding import decode_pointer
from packs.forms.fields import Field, dom_id
from packs.jobs import is_large, start_check
from packs.views.shared.fragments import wants_part
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef
from packs.views.workbench.answers import disputes, form_of, news, reloaded, slots, tell
from packs.views.workbench.desk import Desk, open_desk
from packs.views.workbench.editor import after_url, take
from packs.views.workbench.outline import dot_id
from packs.views.workbench.texts import shown_text


@signed_in("POST")
def field(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Save the controls at and below the pointer `at`.

    The answer carries the findings of the node by field, the problem counts and the save state; with `draw` also the
    field itself, drawn anew, and with `lens` = yaml the text that this lens shows. Other parameters: seen, do (a
    pressed button), confirm (a pointer), and the controls.
    """
    pointer = decode_pointer(request.POST.get("at", ""))
    if pointer is None:
        return HttpResponseBadRequest("at is not a pointer")
    desk = open_desk(request, team, slug, ref, to_edit=True)
    answer, applied, focus = take(request, desk, pointer)
    desk = reloaded(desk, applied)
    if not wants_part(request):
        tell(request, applied)
        return redirect(after_url(request, desk, pointer))
    draws = (
        "draw" in request.POST or not answer.is_complete or bool(applied.conflicts or applied.noticed or applied.job)
    )
    form = form_of(desk, answer, offers=draws)
    context = {
        **live_context(desk, form),
        "drawn": form.nearest(pointer) if draws else None,
        "previewed": form.find(pointer) if desk.is_case and not draws else None,
        "picked": None if draws else picked(desk, form, pointer),
        "refusals": answer.refusals,
        "unreadable": answer.unreadable,
        "disputes": disputes(desk, applied.conflicts),
        "renamed": news(applied),
        "yaml": shown_text(desk).text if request.POST.get("lens") == "yaml" else None,
        "is_own": applied.is_written,
        "is_later": applied.job is not None,
    }
    response = render(request, "packs/workbench/_field_answer.html", context)
    if focus:
        response["HX-Trigger-After-Settle"] = json.dumps({"workbench:focus": {"id": dom_id(focus)}})
    return response


def picked(desk: Desk, form: Field, pointer: str) -> Field | None:
    """The field that was changed, where it names something: with what can be created for it as it stands now."""
    part, found = leaf_at(desk.schema, desk.row.document, pointer), form.find(pointer)
    if "x-picks" not in part or found is None:
        return None
    return replace(found, missing=desk.declared.missing(part, found.raw) or desk.declared.creatable(part))


def live_context(desk: Desk, form: Field) -> dict[str, Any]:
    """The findings of the form by field, the heads of its items, and how many findings the outline's dot stands for."""
    found = slots(form)
    severities = [finding.severity for slot in found for finding in slot.findings]
    return {
        "desk": desk,
        "pack": desk.pack,
        "slots": found,
        "parts": [part for part in form.walk() if part.is_part],
        "dot": dot_id(desk.ref, desk.section.key if desk.kind is NodeKind.PACK else ""),
        "dot_errors": severities.count(Severity.ERROR),
        "dot_warnings": severities.count(Severity.WARNING),
    }


@signed_in("POST")
def recheck(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Ask again what only a check of the whole draft can say: once nothing was typed for a while.

    The answer carries the findings of the node by field and the problem counts; it is empty where the draft is edited
    meanwhile, and where it is so large that a job checks it.
    """
    desk = open_desk(request, team, slug, ref, to_edit=True)
    if not desk.recheck_url:
        return HttpResponse(status=204)
    if is_large(desk.pack):
        start_check(desk.pack, desk.user)
        return HttpResponse(status=204)
    if not recheck_aside(desk.pack):
        return HttpResponse(status=204)
    if desk.row is not desk.pack:
        desk.row.refresh_from_db(fields=["findings"])
    return render(request, "packs/workbench/_rechecked.html", live_context(desk, form_of(desk, offers=False)))
