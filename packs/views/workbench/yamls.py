"""Editing a node, or a section of the pack, as YAML text. Broken text stays on screen and is never stored."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render

from packs.editing import EditRefused, Seen
from packs.editing.changes import as_changes
from packs.editing.pointers import value_at
from packs.formats.comparing import same
from packs.formats.costs import is_heavy
from packs.formats.document import Document
from packs.formats.findings import Finding, from_pointer
from packs.views.shared.fragments import is_by_script
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef
from packs.views.workbench.answers import disputes, form_of, is_revision, news, reloaded, tell
from packs.views.workbench.desk import Desk, open_desk
from packs.views.workbench.editor import keep, page_context, revision_of
from packs.views.workbench.lenses import lens_url
from packs.views.workbench.live import live_context
from packs.views.workbench.texts import MAX_TEXT, findings_of, read_text, shown_text, too_long


@signed_in("POST")
def save_yaml(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Read the lens text `text` and make the document or its section what it says, by the smallest edits.

    The script of the page gets what changed in it, as it does after a changed field. While others edit too, it says
    what the author saved since the revision `seen`: `before`, the last text, and `own`, the revisions that led to.
    """
    desk = open_desk(request, team, slug, ref, to_edit=True)
    text = text_in(request, "text")
    seen = typed_upon(request, desk)
    trouble = too_long(text, MAX_TEXT)
    if trouble:
        return refused(request, desk, text, trouble)
    document, trouble = read_text(desk, text, seen)
    if document is None:
        return refused(request, desk, text, trouble)
    try:
        applied = keep(desk, seen, document, Seen(revision_of(request), own_revisions(request)), "Edit as YAML")
    except EditRefused:
        return refused(request, desk, text, trouble)
    desk = reloaded(desk, applied)
    if is_by_script(request) and not applied.conflicts:
        context = {**live_context(desk, form := form_of(desk)), "drawn": form, "yaml": shown_text(desk).text}
        context |= {"renamed": news(applied), "is_own": applied.is_written}
        return render(request, "packs/workbench/_field_answer.html", context)
    tell(request, applied)
    if applied.conflicts:
        context = {**page_context(request, desk), "disputes": disputes(desk, applied.conflicts)}
        return render(request, "packs/workbench/node.html", {**context, "is_own": applied.is_written}, status=409)
    return redirect(lens_url(desk, "yaml"))


def text_in(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "").replace("\r\n", "\n")


def own_revisions(request: HttpRequest) -> frozenset[int]:
    """The revisions that the page's own saves led to."""
    return frozenset(int(each) for each in request.POST.get("own", "").split(",") if is_revision(each))


def typed_upon(request: HttpRequest, desk: Desk) -> Document:
    """The document that a text goes on from: the one that was seen, with what the page saved of it since."""
    seen, before = desk.state_seen(revision_of(request)).document, text_in(request, "before")
    saved = read_text(desk, before, seen)[0] if before and not too_long(before, MAX_TEXT) else None
    return seen if saved is None else saved


def refused(request: HttpRequest, desk: Desk, text: str, trouble: list[Finding]) -> HttpResponse:
    """The text again, with where it breaks; a script has both."""
    if is_by_script(request):
        return HttpResponse(status=422)
    found = {"text": text, "findings": [finding.as_dict() for finding in trouble], "is_broken": True}
    return render(request, "packs/workbench/node.html", {**page_context(request, desk), **found}, status=422)


@signed_in("POST")
def lint(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> JsonResponse:
    """The findings of lens text that is being typed, with their places: the same ones that the form shows.

    With the parameter `compare` the answer says instead, as `is_stored`, whether saving the text, which was typed upon
    the revision `seen`, would change nothing any more.
    """
    desk = open_desk(request, team, slug, ref)
    text = text_in(request, "text")
    if "compare" in request.POST:
        return JsonResponse({"is_stored": is_stored(desk, text, desk.state_seen(revision_of(request)).document)})
    if is_heavy(desk.row.document):
        return JsonResponse({"findings": [finding.as_dict() for finding in shown_text(desk).trouble]})
    found = too_long(text, MAX_TEXT) or findings_of(desk, text)
    return JsonResponse({"findings": [finding.as_dict() for finding in found]})


def is_stored(desk: Desk, text: str, seen: Document) -> bool:
    """Whether the draft holds what a text changes of the document that was seen."""
    document = None if too_long(text, MAX_TEXT) else read_text(desk, text, seen)[0]
    if document is None:
        return False
    changes = as_changes(desk.kind, desk.row.pk, seen, document)
    return all(same(value_at(desk.row.document, from_pointer(each.pointer)), each.value) for each in changes)
