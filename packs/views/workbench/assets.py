"""The bytes of an asset: upload and download. Uploaded content is hostile: it is never run or drawn by the page."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from packs import blobs
from packs.editing import set_asset_content
from packs.formats.document import NodeKind
from packs.models import Asset
from packs.views.workbench.addresses import NodeRef
from packs.views.workbench.contents import head_of, picture_type
from packs.views.workbench.desk import find_pack, find_row, open_desk

MAX_UPLOAD = 50_000_000


@login_required
@require_POST
def upload(request: HttpRequest, team: str, slug: str, ref: NodeRef) -> HttpResponse:
    """Give an asset the bytes of the uploaded `file`, or none with `clear`."""
    desk = open_desk(request, team, slug, ref, to_edit=True)
    file = request.FILES.get("file")
    if desk.kind is not NodeKind.ASSET:
        raise Http404
    if "clear" in request.POST:
        set_asset_content(desk.pack, desk.row.pk, None, desk.user, label="Remove the content of an asset")
    elif file is None or (file.size or 0) > MAX_UPLOAD:
        messages.error(request, f"Choose a file of at most {MAX_UPLOAD // 1_000_000} MB.")
    else:
        set_asset_content(desk.pack, desk.row.pk, blobs.put(file.read()), desk.user, label="Upload a file")
    return redirect(desk.url)


@login_required
@require_GET
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
