"""The bytes of an asset: upload and download. Uploaded content is hostile: it is never run or drawn by the page."""

import re
from pathlib import PurePosixPath

from django.contrib import messages
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from packs import blobs
from packs.editing import Change, apply, set_asset_content
from packs.formats.document import NodeKind
from packs.formats.paths import refused_name
from packs.models import Asset
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeRef
from packs.views.workbench.contents import as_written, head_of, picture_type, written_text
from packs.views.workbench.desk import Desk, find_pack, find_row, open_desk
from packs.views.workbench.files import MAX_UPLOAD, document_at
from packs.views.workbench.uses import uses


@signed_in("POST")
def upload(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Give an asset the bytes of the uploaded `file`, those of `text`, or none with `clear`.

    `before` is the digest of the content in which a text was written.
    """
    desk = open_desk(request, team, slug, ref, to_edit=True)
    file = request.FILES.get("file")
    if desk.kind is not NodeKind.ASSET:
        raise Http404
    if "clear" in request.POST:
        set_asset_content(desk.pack, desk.row.pk, None, desk.user, label="Remove the content of an asset")
    elif "text" in request.POST:
        write(request, desk)
    elif file is None or (file.size or 0) > MAX_UPLOAD:
        messages.error(request, f"Choose a file of at most {MAX_UPLOAD // 1_000_000} MB.")
    else:
        with transaction.atomic():
            take_name(desk, file.name or "")
            set_asset_content(desk.pack, desk.row.pk, blobs.put(file.read()), desk.user, label="Upload a file")
    return redirect(desk.url)


def write(request: HttpRequest, desk: Desk) -> None:
    """Store what was written as the content of an asset, with the line ends that it had."""
    before = written_text(desk.row) or ""
    if request.POST.get("before", "") != (desk.row.blob_id or ""):
        messages.warning(request, "Somebody changed this file while you wrote. Yours is stored; History has theirs.")
    text = as_written(request.POST["text"], "\r\n" if "\r" in before else "\n")
    set_asset_content(desk.pack, desk.row.pk, blobs.put(text.encode()), desk.user, label="Write a file")


def take_name(desk: Desk, name: str) -> None:
    """Call an asset after the file that is uploaded, where it has the name of a new one and nothing refers to it.

    Of another kind than a new one, it goes to the folder of files that cases use.
    """
    row, pack = desk.row, desk.pack
    started = str(desk.adapter.new_document(NodeKind.ASSET, None)["path"])
    has_name = without_number(row.path) != without_number(started)
    is_new = not row.blob_id and not has_name and uses(pack, [row.key])[row.key] == []
    is_other = PurePosixPath(name).suffix != PurePosixPath(started).suffix
    folder = (is_other and desk.adapter.FIXTURES) or PurePosixPath(row.path).parent
    path = str(PurePosixPath(folder, name)) if is_new and refused_name(name) is None else ""
    if not path or pack.assets.filter(path=path).exists():
        return
    named = document_at(pack, path)
    changes = [Change(row.kind, row.pk, f"/{field}", named[field]) for field in row.document if field in named]
    apply(pack, changes, desk.user, label=f"Name a file {path}")


def without_number(path: str) -> str:
    return re.sub(r"\d+", "", path)


@signed_in("GET")
def content(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> FileResponse:
    """The bytes of an asset as a download; with `inline` a picture of a harmless type for the page to show."""
    pack = find_pack(request, team, slug)
    row = find_row(pack, ref)
    if not isinstance(row, Asset) or not row.blob_id:
        raise Http404
    picture = picture_type(head_of(row)) if "inline" in request.GET else ""
    name = (row.path or row.key or "asset").replace("\\", "/").rpartition("/")[2] or "asset"
    response = FileResponse(
        blobs.open_stream(row.blob_id),
        as_attachment=not picture,
        filename=name,
        content_type=picture or "application/octet-stream",
    )
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; sandbox"
    return response
