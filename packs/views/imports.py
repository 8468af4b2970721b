"""Packs come in: files or pasted text, looked at before anything is written."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from packs import blobs
from packs.formats import FORMATS, adapter_of
from packs.formats.archives import read_uploads
from packs.importing import ImportRefused, Preview, confirm, preview
from packs.importing.previewing import find_upload
from packs.jobs import start
from packs.models import Team
from packs.views.team_form import TeamForm

SHOWN_FINDINGS = 100
# Uploads of so many bytes are looked at and imported by jobs; archives hold about PACKED times their size.
LARGE = 4_000_000
PACKED = 5
PASTED_NAME = "pack.yaml"


class ImportForm(TeamForm):
    """Files or a text, the team that gets the pack, and format and slug where those of the files are not wanted."""

    format = forms.ChoiceField(required=False, label="Format")
    text = forms.CharField(
        required=False,
        strip=False,
        label="Pasted text",
        widget=forms.Textarea(attrs={"rows": 10, "class": "input input--mono", "spellcheck": "false"}),
    )
    slug = forms.SlugField(
        required=False,
        max_length=120,
        label="Slug",
        help_text="The pack's place in addresses. Left empty, it is made of what the file states.",
    )

    def __init__(self, user: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(user, *args, **kwargs)
        field: Any = self.fields["format"]
        field.choices = [("", "Recognise it"), *((name, adapter_of(name).LABEL) for name in FORMATS)]


def pasted(text: str) -> list[tuple[str, bytes]]:
    """Pasted text as a file; none where there is only white space."""
    return [(PASTED_NAME, text.replace("\r\n", "\n").encode())] if text.strip() else []


def name_of_all(names: Sequence[str]) -> str:
    """What everything that was sent is called together."""
    return names[0] if len(names) == 1 else "upload.zip"


@login_required
@require_http_methods(["GET", "POST"])
def import_files(request: HttpRequest) -> HttpResponse:
    """Take files or text and show what importing them would do. Nothing of the pack is written here."""
    if not Team.objects.editable_by(request.user).exists():
        raise PermissionDenied
    form = ImportForm(request.user, request.POST or None, request.FILES or None)
    if request.method == "GET" or not form.is_valid():
        return render(request, "packs/import.html", {"form": form}, status=422 if form.is_bound else 200)
    uploads = request.FILES.getlist("files")
    if sum(upload.size or 0 for upload in uploads) > LARGE:
        return look_later(request, form, uploads)
    given = [(upload.name or "upload", upload.read()) for upload in uploads] + pasted(form.cleaned_data["text"])
    files, before = read_uploads(given)
    if not files and not before:
        form.add_error(None, "Choose a file, or paste the text of one.")
        return render(request, "packs/import.html", {"form": form}, status=422)
    team = form.cleaned_data["team"]
    user: Any = request.user
    name = name_of_all([name for name, _ in given])
    found = preview(
        team,
        user,
        files,
        name,
        format=form.cleaned_data["format"] or None,
        slug=form.cleaned_data["slug"] or None,
        before=before,
    )
    context = {
        "form": form,
        "preview": found,
        "team": team,
        "name": name,
        "findings": found.findings[:SHOWN_FINDINGS],
        "hidden": max(0, len(found.findings) - SHOWN_FINDINGS),
        "lists": preview_lists(found),
    }
    return render(request, "packs/import_preview.html", context, status=200 if found.can_import else 422)


def look_later(request: HttpRequest, form: ImportForm, uploads: "list[UploadedFile[bytes]]") -> HttpResponse:
    """Large files are stored, and looked at by a job."""
    stored = [(upload.name or "upload", blobs.put_stream(upload.chunks())) for upload in uploads]
    stored += [(name, blobs.put(data)) for name, data in pasted(form.cleaned_data["text"])]
    names = [name for name, _ in stored]
    # Of two files of one name none is left out: reading them says that they clash.
    keys = [f"{names[:at].count(name)}/{name}" if name in names[:at] else name for at, name in enumerate(names)]
    files = {key: blob.digest for key, (_, blob) in zip(keys, stored, strict=True)}
    name = name_of_all(names)
    wanted = {key: form.cleaned_data[key] or None for key in ("format", "slug")}
    job = start(
        "look",
        team=form.cleaned_data["team"],
        user=request.user,
        title=f"Look at {name}"[:300],
        parameters={"files": files, "name": name, **wanted},
    )
    return redirect("packs:job", job.pk)


def preview_lists(found: Preview) -> list[dict[str, Any]]:
    """The lists of a preview that hold something: created, changed, removed, ignored."""
    words = (
        ("created", "Created", "plus"),
        ("changed", "Changed", "pencil"),
        ("removed", "Removed", "minus"),
        ("ignored", "Ignored, but kept", "circle-slash"),
    )
    return [
        {"label": label, "icon": icon, "entries": getattr(found, name), "total": found.totals.get(name, 0)}
        for name, label, icon in words
        if getattr(found, name)
    ]


@login_required
@require_POST
def import_confirm(request: HttpRequest) -> HttpResponse:
    """Import what was looked at; answers 409 when that is not possible any more.

    Parameters: token; `later` where a job had to look at it, however small its archive is.
    """
    user: Any = request.user
    try:
        waiting = find_upload(user, request.POST.get("token", ""))
        if "later" in request.POST or waiting.blob.size > (LARGE // PACKED if waiting.is_archive else LARGE):
            columns = {"team": waiting.team, "user": user, "title": f"Import {waiting.name}"[:300]}
            return redirect("packs:job", start("import", parameters={"token": str(waiting.token)}, **columns).pk)
        pack = confirm(user, waiting.token)
    except ImportRefused as refused:
        context = {"form": ImportForm(request.user), "refused": refused, "findings": refused.findings[:SHOWN_FINDINGS]}
        return render(request, "packs/import.html", context, status=409)
    messages.success(request, f"{pack} is imported as a draft.")
    return redirect("packs:overview", pack.team.slug, pack.slug)
