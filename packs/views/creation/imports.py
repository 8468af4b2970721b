"""Packs come in: files or pasted text, looked at before anything is written."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from packs import blobs
from packs.formats import FORMATS, adapter_of
from packs.formats.costs import MAX_BYTES
from packs.formats.findings import foremost
from packs.formats.looks import is_table
from packs.importing import ImportRefused, Preview
from packs.importing.previewing import find_upload, keep_table
from packs.jobs.arrivals import Wanted, confirm, later, preview
from packs.models import Job, Team
from packs.views.shared.signed_in import signed_in
from packs.views.shared.team_form import TeamForm

SHOWN_FINDINGS = 100
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


@signed_in("GET", "POST")
def import_files(request: HttpRequest) -> HttpResponse:
    """Take files or text and show what importing them would do. Nothing of the pack is written here.

    Parameters: those of the form; or token (of a preview of several packs) and pack (the one to look at).
    """
    if not Team.objects.editable_by(request.user).exists():
        raise PermissionDenied
    if "pack" in request.POST:
        return look_at_one(request)
    form = ImportForm(request.user, request.POST or None, request.FILES or None)
    if request.method == "GET" or not form.is_valid():
        return render(request, "packs/imports/page.html", {"form": form}, status=422 if form.is_bound else 200)
    uploads, text = request.FILES.getlist("files"), pasted(form.cleaned_data["text"])
    if not uploads and not text:
        form.add_error(None, "Choose a file, or paste the text of one.")
        return render(request, "packs/imports/page.html", {"form": form}, status=422)
    wanted = wanted_of(request, form, [*(upload.name or "upload" for upload in uploads), *(name for name, _ in text)])
    if sum(upload.size or 0 for upload in uploads) > MAX_BYTES:
        return redirect("packs:job", look_later(wanted, uploads, text).pk)
    return show_preview(request, wanted, [*((upload.name or "upload", upload.read()) for upload in uploads), *text])


def look_at_one(request: HttpRequest) -> HttpResponse:
    """The preview of one pack of the several that wait under a token."""
    user = cast(User, request.user)
    try:
        waiting = find_upload(user, request.POST.get("token", ""))
    except ImportRefused as refused:
        return render_refused(request, refused)
    wanted = Wanted(waiting.team, user, waiting.name, None, waiting.slug or None, request.POST["pack"])
    return show_preview(request, wanted, [(waiting.inner_name, blobs.read(waiting.blob))])


def show_preview(request: HttpRequest, wanted: Wanted, given: Sequence[tuple[str, bytes]]) -> HttpResponse:
    """What an import of these uploads would do, or the page of the job that looks at them."""
    found = preview(wanted, given)
    if isinstance(found, Job):
        return redirect("packs:job", found.pk)
    if not found.format and len(given) == 1 and is_table(*given[0]):
        return take_as_table(request, wanted, given[0][1])
    context = {
        "preview": found,
        "team": wanted.team,
        "name": wanted.name,
        "findings": foremost(found.findings, SHOWN_FINDINGS),
        "lists": preview_lists(found),
    }
    return render(request, "packs/imports/preview.html", context, status=200 if found.can_import else 422)


def take_as_table(request: HttpRequest, wanted: Wanted, data: bytes) -> HttpResponse:
    """Go on to the columns of a table of which a pack can be made."""
    waiting = keep_table(wanted.team, wanted.user, wanted.name, blobs.put(data))
    messages.info(request, f"{wanted.name} is a table. Its rows can become the cases of a new pack.")
    return redirect(f"{reverse('packs:new-table')}?upload={waiting.token}")


def wanted_of(request: HttpRequest, form: ImportForm, names: Sequence[str]) -> Wanted:
    """Where the files of these names go."""
    given, user = form.cleaned_data, cast(User, request.user)
    return Wanted(given["team"], user, name_of_all(names), given["format"] or None, given["slug"] or None)


def look_later(wanted: Wanted, uploads: "list[UploadedFile[bytes]]", text: list[tuple[str, bytes]]) -> Job:
    """Files that are not even taken into memory are stored, and looked at by a job."""
    stored = [(upload.name or "upload", blobs.put_stream(upload.chunks())) for upload in uploads]
    return later("look", wanted, [*stored, *((name, blobs.put(data)) for name, data in text)])


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


def render_refused(request: HttpRequest, refused: ImportRefused) -> HttpResponse:
    context = {"form": ImportForm(request.user), "refused": refused, "findings": refused.findings[:SHOWN_FINDINGS]}
    return render(request, "packs/imports/page.html", context, status=409)


@signed_in("POST")
def import_confirm(request: HttpRequest) -> HttpResponse:
    """Import what was looked at; answers 409 when that is not possible any more. Parameter: token."""
    try:
        pack = confirm(cast(User, request.user), request.POST.get("token", ""))
    except ImportRefused as refused:
        return render_refused(request, refused)
    if isinstance(pack, Job):
        return redirect("packs:job", pack.pk)
    messages.success(request, f"{pack} is imported as a draft.")
    return redirect("packs:overview", pack.team.slug, pack.slug)
