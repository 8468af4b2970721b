"""The overview of a pack: what it is, how it judges, what is wrong, what ran; and its life as a whole."""

from django.contrib import messages
from django.db.models import Count
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs import blobs, publish
from packs.access import Permission
from packs.companion import companion
from packs.mirror import format_of
from packs.models import Asset, Case, Challenge, InputSet, Pack
from packs.views.creation.thread import thread_of
from packs.views.discussion.comments import proposal_url
from packs.views.shared.lookup import find_pack
from packs.views.shared.signed_in import signed_in

VERSION_ROWS = 5
RUN_ROWS = 6
SET_ROWS = 50


def totals(pack: Pack) -> dict[str, int]:
    """How many nodes of each kind that its format has a draft holds."""
    kinds = (("challenges", Challenge), ("input_sets", InputSet), ("cases", Case), ("assets", Asset))
    known = format_of(pack).SCHEMA
    return {name: model.objects.filter(pack=pack).count() for name, model in kinds if model.kind in known}


@signed_in("GET")
def overview(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    subject = find_pack(request.user, team, slug)
    pack = subject.pack
    if hasattr(pack, "proposal"):
        return redirect(proposal_url(pack))
    versions = pack.versions.select_related("published_by").defer("document", "challenges", "assets", "files")
    newest = list(versions[:VERSION_ROWS])
    sets = pack.input_sets.defer("document").annotate(case_total=Count("cases")).order_by("position")
    context = {
        **subject.context,
        "card": format_of(pack).card(pack.document),
        "totals": totals(pack),
        "sets": sets[:SET_ROWS],
        "versions": newest,
        "runs": companion().latest(pack.pk, RUN_ROWS),
        "thread": [] if newest else thread_of(pack),
        "edits_since": pack.revision - newest[0].revision if newest else None,
    }
    return render(request, "packs/overview.html", context)


@signed_in("GET")
def source(request: HttpRequest, team: str, slug: str) -> FileResponse:
    """The bytes from which the pack was last imported, comments and all."""
    pack = find_pack(request.user, team, slug).pack
    if pack.source is None:
        raise Http404
    stream = blobs.open_stream(pack.source)
    return FileResponse(
        stream, as_attachment=True, filename=pack.source_name or "source", content_type="application/octet-stream"
    )


ACTS = {
    "archive": (publish.archive, "is archived. It can be restored at any time."),
    "deprecate": (publish.deprecate, "is deprecated. It stays usable."),
    "restore": (publish.restore, "is back in use."),
}


@signed_in("POST")
def life(request: HttpRequest, team: str, slug: str, act: str) -> HttpResponse:
    """Archive, deprecate or restore a pack; its versions and runs stay."""
    pack = find_pack(request.user, team, slug, Permission.CURATE).pack
    if act not in ACTS:
        raise Http404
    change, outcome = ACTS[act]
    try:
        change(pack)
        messages.success(request, f"{pack} {outcome}")
    except publish.PublishRefused as refused:
        messages.error(request, refused.message)
    return redirect("packs:overview", team, slug)
