"""Long work: how far it is, how to stop it, and what came of it."""

from typing import Any
from urllib.parse import urlencode

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from packs import blobs
from packs.audit import about
from packs.formats.abilities import WRITERS
from packs.formats.document import NodeKind
from packs.formats.findings import Kind
from packs.importing import Preview
from packs.importing.values import Item
from packs.jobs import PROPOSAL_ACTS, cancel, start
from packs.jobs.comparing import name_now
from packs.jobs.repositories import NEW
from packs.models import Job, JobStatus, Pack
from packs.views.shared.fragments import wants_part
from packs.views.shared.lookup import find_pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef, url_of

WORDS = (
    ("created", "Created", "plus"),
    ("changed", "Changed", "pencil"),
    ("removed", "Removed", "minus"),
    ("ignored", "Ignored, but kept", "circle-slash"),
)


def find_job(request: HttpRequest, pk: int) -> Job:
    """A job of the user's own. Raises Http404 for those of others."""
    rows = Job.objects.visible_to(request.user).filter(user=request.user.pk)
    found: Job = get_object_or_404(rows.select_related("team", "pack__team", "blob"), pk=pk)
    about(found.team)
    return found


@signed_in("GET")
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """How far a job is; when it has ended, its outcome. Answers a poll with the page anew once there is an outcome."""
    found = find_job(request, pk)
    if found.is_open:
        part = "packs/_job.html" if wants_part(request) else "packs/job.html"
        return render(request, part, {"job": found})
    if wants_part(request):
        return HttpResponse(headers={"HX-Refresh": "true"})
    if found.kind in ("look", NEW) and found.status == JobStatus.COMPLETED:
        return render(request, "packs/imports/preview.html", looked(found))
    if onward := page_after(found):
        return redirect(onward)
    return render(request, "packs/job.html", {"job": found, **description_of(found)})


def page_after(found: Job) -> str:
    """The page that shows what came of a job; empty for jobs whose outcome stands on their own page."""
    if found.status != JobStatus.COMPLETED:
        return ""
    if found.kind == "table-pack-look":
        asked = urlencode({"upload": found.parameters["upload"], "look": found.pk})
        return f"{reverse('packs:new-table')}?{asked}"
    return page_of(found, found.pack) if found.pack else ""


def page_of(found: Job, pack: Pack) -> str:
    """The page of a pack that shows what came of a completed job."""
    place = found.team.slug, pack.slug
    if found.kind == "table-look":
        return table_url(pack, found)
    if found.kind == "compare" and "proposal" not in found.parameters:
        ends = {"from": name_now(found, "from"), "to": name_now(found, "to")}
        more = {"files": ""} if found.parameters["files"] else {}
        return f"{reverse('packs:changes', args=place)}?{urlencode({**ends, **more})}"
    if found.kind == "compare":
        return f"{reverse('packs:proposal', args=[*place, found.outcome['number']])}?{urlencode({'look': found.pk})}"
    if found.kind in PROPOSAL_ACTS:
        return reverse("packs:proposal", args=[*place, found.outcome["number"]])
    return reverse("packs:git", args=place) if found.kind == "git-look" else ""


def description_of(found: Job) -> dict[str, Any]:
    """What the page of a job that has ended lists: why it was refused, or what the variant it wrote cannot say."""
    variant, outcome = found.parameters.get("variant"), found.outcome
    writer = WRITERS.get(found.pack.format) if variant and found.pack else None
    if writer is None or "losses" not in outcome:
        return {"findings": outcome.get("findings", [])}
    hidden = outcome["loss_count"] - len(outcome["losses"])
    return {"variant": variant, "words": writer.VARIANTS[variant], "hidden_losses": hidden}


def table_url(pack: Pack, found: Job) -> str:
    """The preview of a table that a job has looked at."""
    path = url_of(pack, "edit-rows-table", NodeRef(NodeKind.INPUT_SET, found.parameters["set"]))
    return f"{path}?{urlencode({'upload': found.parameters['upload'], 'look': found.pk})}"


def looked(found: Job) -> dict[str, Any]:
    """What the preview of an import shows, from the outcome of its job."""
    outcome = found.outcome
    changed = Pack.objects.filter(pk=outcome["pack"]).first() if outcome["pack"] else None
    reported = Preview(None, outcome["format"], outcome["slug"], outcome["title"], changed)
    reported.token, reported.refused = outcome["token"], outcome["refused"]
    reported.packs = outcome.get("packs", {})
    reported.counts, reported.totals, reported.has_comments = (
        outcome["counts"],
        outcome["totals"],
        outcome["has_comments"],
    )
    lists = [
        {
            "label": label,
            "icon": icon,
            "entries": [Item(**item) for item in outcome[name]],
            "total": reported.totals[name],
        }
        for name, label, icon in WORDS
        if outcome[name]
    ]
    reported.kinds = [Kind(**kind) for kind in outcome.get("kinds", ())]
    name = found.parameters["name"]
    return {
        "preview": reported,
        "repository": found.parameters.get("repository"),
        "look": found.pk,
        "team": found.team,
        "name": name,
        "findings": outcome["findings"],
        "lists": lists,
    }


@signed_in("POST")
def job_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop a job. One that has ended stays as it is."""
    found = find_job(request, pk)
    cancel(found)
    return redirect("packs:job", found.pk)


@signed_in("GET")
def job_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The file that an export made."""
    found = find_job(request, pk)
    if found.kind != "export" or found.status != JobStatus.COMPLETED or found.blob is None:
        raise Http404
    stream = blobs.open_stream(found.blob)
    response = FileResponse(stream, as_attachment=True, filename=found.outcome["name"])
    response.headers["Content-Type"] = "application/octet-stream"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@signed_in("POST")
def prepare_export(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Have the canonical files of a large draft written by a job."""
    pack = find_pack(request.user, team, slug).pack
    started = start("export", team=pack.team, pack=pack, user=request.user, title=f"Export {pack}"[:300])
    return redirect("packs:job", started.pk)
