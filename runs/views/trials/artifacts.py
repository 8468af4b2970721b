"""The page of the files that an agent left, and these files."""

from pathlib import PurePosixPath

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header

from packs.views.shared.signed_in import signed_in
from runs.results.artifacts import artifacts_of
from runs.views.trials.payloads import show
from runs.views.trials.trials import describe, find_trial

# Of more files the first are listed with what is in them.
MOST_SHOWN = 200


@signed_in("GET")
def artifacts(request: HttpRequest, pk: int) -> HttpResponse:
    """The files that an agent left: what is in them, and what it made of those that it was given."""
    found = find_trial(request.user, pk)
    listed = artifacts_of(found)
    context = {
        **describe(found, "runs:artifacts"),
        "total": len(listed),
        "files": [
            (each, show(each.text) if each.text is not None else None, show(each.diff) if each.diff else None)
            for each in listed[:MOST_SHOWN]
        ],
    }
    return render(request, "runs/trial/artifacts.html", context)


@signed_in("GET")
def artifact_file(request: HttpRequest, pk: int) -> HttpResponse:
    """The bytes of a file. Parameters: path, picture (to show it in place, where it is one that runs nothing)."""
    path = request.GET.get("path", "")
    artifact = next((each for each in artifacts_of(find_trial(request.user, pk)) if each.path == path), None)
    if artifact is None or artifact.content is None:
        raise Http404
    is_shown = "picture" in request.GET and bool(artifact.media)
    answer = HttpResponse(artifact.content, content_type=artifact.media if is_shown else "application/octet-stream")
    name = PurePosixPath(artifact.path).name
    answer["Content-Disposition"] = content_disposition_header(not is_shown, name) or "attachment"
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return answer
