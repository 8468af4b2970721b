"""Trials that took place elsewhere come in, looked at before anything is written; one of ours goes out as a record."""

from typing import Any, cast

import orjson
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from packs.access import Permission, permissions
from packs.formats.archives import MAX_TOTAL_BYTES
from packs.models import PackVersion, Team, VersionStatus
from packs.views.shared.signed_in import signed_in
from runs.launch.refusals import LaunchRefused
from runs.results.importing import Import, NoSuchUpload, Wish, confirm, look, read_records, wait
from runs.results.importing.writing import ImportRefused
from runs.results.tracing import trial_record, trial_trace
from runs.views.trials.trials import find_trial

SHOWN_FINDINGS = 100
SHOWN_CASES = 200
# How many versions are offered.
MAX_VERSIONS = 500
PASTED = "pasted.json"
HEAVY = ("document", "challenges", "assets", "files", "pack__document")


def offered_versions(user: Any) -> list[PackVersion]:
    """The versions that a user may run, by pack, the newest first. Raises PermissionDenied for who may run nothing."""
    if not Team.objects.runnable_by(user).exists():
        raise PermissionDenied
    rows = PackVersion.objects.runnable_by(user).filter(status=VersionStatus.RUNNABLE).select_related("pack__team")
    return list(rows.defer(*HEAVY).order_by("pack__title", "pack__slug", "-number")[:MAX_VERSIONS])


def find_version(user: Any, text: str, offered: list[PackVersion]) -> PackVersion | None:
    """The version that is asked for, else the first that is offered; None where there is none.

    Raises Http404 for one that the user may not see, PermissionDenied for one that they may not run.
    """
    if not text:
        return offered[0] if offered else None
    pk = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
    version: PackVersion = get_object_or_404(
        PackVersion.objects.visible_to(user).select_related("pack__team").defer(*HEAVY), pk=pk
    )
    if Permission.RUN not in permissions(user, version.pack.team):
        raise PermissionDenied
    return version


def sent(request: HttpRequest) -> tuple[str, bytes]:
    """Name and bytes of the upload, or of the text that was pasted; no bytes where nothing was sent."""
    upload = request.FILES.get("file")
    if upload is not None:
        return upload.name or "upload", upload.read(MAX_TOTAL_BYTES + 1)
    return PASTED, request.POST.get("text", "").replace("\r\n", "\n").encode()


@signed_in("GET", "POST")
def import_traces(request: HttpRequest) -> HttpResponse:
    """Take records or traces and show which run they would become. Parameters: version, file, text, case, name."""
    offered = offered_versions(request.user)
    asked = request.POST if request.method == "POST" else request.GET
    version = find_version(request.user, asked.get("version", ""), offered)
    wish = Wish(asked.get("case", "").strip(), asked.get("name", "").strip()[:300])
    context: dict[str, Any] = {"versions": offered, "version": version, "wish": wish, "text": asked.get("text", "")}
    if request.method == "GET" or version is None:
        return render(request, "runs/imports/page.html", context)
    name, data = sent(request)
    if not data.strip():
        trouble = "Choose a file, or paste the text of one."
        return render(request, "runs/imports/page.html", {**context, "trouble": trouble}, status=422)
    found = look(version, read_records(name, data), wish)
    token = wait(version, cast(User, request.user), name, data, wish).token if found.can_import else ""
    context |= {**preview_context(found), "name": name, "token": token}
    return render(request, "runs/imports/preview.html", context, status=200 if found.can_import else 422)


def preview_context(found: Import) -> dict[str, Any]:
    """What a preview shows: the trials of each agent and each case, and what is wrong."""
    return {
        "found": found,
        "findings": found.findings[:SHOWN_FINDINGS],
        "hidden": max(0, len(found.findings) - SHOWN_FINDINGS),
        "agents": found.agents.items(),
        "cases": list(found.cases.items())[:SHOWN_CASES],
        "hidden_cases": max(0, len(found.cases) - SHOWN_CASES),
    }


@signed_in("POST")
def confirm_traces(request: HttpRequest) -> HttpResponse:
    """Import what was looked at, whole or not at all. Parameter: token."""
    offered = offered_versions(request.user)
    try:
        run = confirm(cast(User, request.user), request.POST.get("token", ""))
    except NoSuchUpload:
        trouble = "These records are no longer available: a preview is kept for a day and can be confirmed once."
    except ImportRefused as refused:
        context = {**preview_context(refused.found), "versions": offered, "version": refused.found.version}
        return render(request, "runs/imports/preview.html", context, status=422)
    except LaunchRefused as refused:
        trouble = refused.message
    else:
        messages.success(request, f"{run.title} was imported; workers grade it.")
        return redirect("runs:show", run.pk)
    context = {"versions": offered, "version": None, "wish": Wish(), "text": "", "trouble": trouble}
    return render(request, "runs/imports/page.html", context, status=409)


@signed_in("GET")
def trace(request: HttpRequest, pk: int) -> HttpResponse:
    """A trial as a file: its record, or with `as=trace` the trace alone."""
    trial = find_trial(request.user, pk)
    if trial.finished_at is None:
        raise Http404("The trial has not ended.")
    kind = "trace" if request.GET.get("as") == "trace" else "record"
    value = trial_trace(trial) if kind == "trace" else trial_record(trial)
    content = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    headers = {"Content-Disposition": f'attachment; filename="trial-{trial.pk}-{kind}.json"'}
    return HttpResponse(content, content_type="application/json", headers=headers)
