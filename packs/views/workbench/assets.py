"""The bytes of assets: upload, preview, download. Uploaded content is hostile: it is never run or drawn by the page."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET, require_POST

from packs import blobs
from packs.columns import encode
from packs.editing import set_asset_content
from packs.formats.document import NodeKind
from packs.models import Asset, Case, Challenge, Pack
from packs.views.workbench.addresses import NodeRef, workbench_url
from packs.views.workbench.desk import find_pack, find_row, open_desk

MAX_UPLOAD = 50_000_000
MAX_PREVIEW = 20_000
MAX_USES = 50
# What a browser shows as a picture without running anything in it. SVG is not among them.
PICTURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


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


def picture_type(data: bytes) -> str:
    """The media type of a picture that may be shown; empty for everything else."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((name for magic, name in PICTURES.items() if data.startswith(magic)), "")


def head_of(row: Asset) -> bytes:
    with blobs.open_stream(str(row.blob_id)) as stream:
        data: bytes = stream.read(MAX_PREVIEW)
    return data


def preview(row: Asset) -> dict[str, Any]:
    """How the beginning of an asset is shown: as a picture, as text or as bytes."""
    if not row.blob_id:
        return {"kind": "none"}
    data = head_of(row)
    shown: dict[str, Any] = {"size": row.blob.size if row.blob else 0, "is_cut": len(data) == MAX_PREVIEW}
    if picture_type(data):
        return {**shown, "kind": "picture"}
    text = as_text(data)
    return {**shown, "kind": "text", "text": text} if text is not None else {**shown, "kind": "hex", "text": dump(data)}


def as_text(data: bytes) -> str | None:
    """The bytes as text; None when they are none. A character that the preview cuts in two does not count."""
    if b"\0" in data:
        return None
    text = data.decode("utf-8", "replace")
    return None if "\N{REPLACEMENT CHARACTER}" in text[:-3] else text


def dump(data: bytes, rows: int = 32) -> str:
    """The first bytes as hexadecimal numbers and characters, 16 a line."""
    lines = []
    for start in range(0, min(len(data), rows * 16), 16):
        part = data[start : start + 16]
        signs = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
        lines.append(f"{start:08x}  {part.hex(' '):<47}  {signs}")
    return "\n".join(lines)


def uses(pack: Pack, key: str) -> list[tuple[str, str]]:
    """Challenges and cases whose documents hold an asset's key as a whole text: name and address of each."""
    if not key.strip():
        return []
    quoted = encode(key.strip())
    wanted = Q(document__contains=quoted) | Q(document__contains=encode(f"artifact:{key.strip()}"))
    found = []
    for model in (Challenge, Case):
        for row in model.objects.filter(pack=pack).filter(wanted).order_by("pk")[:MAX_USES]:
            found.append((str(row), workbench_url(pack, row)))
    return found
