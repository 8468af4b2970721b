"""The files of a pack on one page, public and hidden ones apart, and uploads by dropping them there."""

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify

from packs import blobs
from packs.access import Permission
from packs.editing import EditRefused, Thing, add_node, set_asset_content
from packs.formats.card import Root
from packs.formats.document import Document, NodeKind
from packs.formats.media import media_type
from packs.formats.numbering import free_number
from packs.formats.paths import refused_name
from packs.mirror import RowIndex, column_text, format_of
from packs.models import Pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import node_url, ref_of, url_of
from packs.views.workbench.desk import find_subject
from packs.views.workbench.rename_links import rename_url
from packs.views.workbench.uses import uses

MAX_UPLOAD = 50_000_000
MAX_SHOWN = 500
MAX_AT_ONCE = 100
# Uses are looked up for so many files only; beyond, the page of a file tells them.
MAX_LOOKED_UP = 40
ELSEWHERE = Root(
    "", "Files", "What the pack declares; challenges, cases and graders refer to a file by its key.", is_hidden=False
)


@dataclass(slots=True)
class Room:
    """The files below one root."""

    root: Root
    files: list[dict[str, Any]] = field(default_factory=list)


@signed_in("GET", "POST")
def files(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """All assets by root. POST: `file` (several), `root` and `folder` say where they go; a known path is replaced."""
    found = find_subject(request, team, slug, to_edit=request.method == "POST")
    pack = found.pack
    if NodeKind.ASSET not in format_of(pack).SCHEMA or not isinstance(request.user, User):
        raise Http404
    if request.method == "POST":
        take(request, pack, request.user)
        return redirect(url_of(pack, "edit-files"))
    context = {"pack": pack, "rooms": rooms_of(pack), "may_edit": Permission.EDIT in found.may, "most": MAX_AT_ONCE}
    return render(request, "packs/workbench/files.html", context)


def roots_of(pack: Pack) -> tuple[Root, ...]:
    """The roots of a pack's files; formats without any have one that holds all."""
    return format_of(pack).card(pack.document).roots or (ELSEWHERE,)


def root_of(pack: Pack, key: str) -> Root | None:
    """The root that a file lies below, the closest one where they lie inside each other."""
    found = [root for root in roots_of(pack) if key.startswith(root.prefix)]
    return max(found, key=lambda root: len(root.prefix), default=None)


def rooms_of(pack: Pack) -> list[Room]:
    rooms = {root.prefix: Room(root) for root in roots_of(pack)}
    rows = list(pack.assets.select_related("blob").order_by("key", "position")[:MAX_SHOWN])
    found = uses(pack, [row.key for row in rows] if len(rows) <= MAX_LOOKED_UP else [])
    for row in rows:
        root = root_of(pack, row.key) or ELSEWHERE
        known = found.get(row.key)
        used = None if known is None else [name for name, _ in known]
        room = rooms.setdefault(root.prefix, Room(root))
        thing = Thing(NodeKind.ASSET, row.key, row.pk)
        renames = rename_url(pack, thing, ref_of(row)) if row.key else ""
        room.files.append({"row": row, "url": node_url(pack, ref_of(row)), "uses": used, "rename_url": renames})
    return list(rooms.values())


def take(request: HttpRequest, pack: Pack, user: User) -> None:
    """Store the uploaded files, and say what became of them."""
    given: list[Any] = request.FILES.getlist("file")
    prefix, folder = request.POST.get("root", ""), request.POST.get("folder", "").strip().strip("/")
    if prefix not in {root.prefix for root in roots_of(pack)} or not given or len(given) > MAX_AT_ONCE:
        messages.error(request, f"Choose 1 to {MAX_AT_ONCE} files.")
        return
    refused = [str(file.name) for file in given if (file.size or 0) > MAX_UPLOAD]
    taken = []
    for file in given:
        path = f"{prefix}{folder}/{file.name}" if folder else f"{prefix}{file.name}"
        if str(file.name) not in refused and refused_name(path) is None and store(pack, user, path, file):
            taken.append(path)
        elif str(file.name) not in refused:
            refused.append(str(file.name))
    if taken:
        messages.success(request, f"Stored: {', '.join(taken[:10])}{' and more' if len(taken) > 10 else ''}.")
    if refused:
        limit = MAX_UPLOAD // 1_000_000
        messages.error(
            request, f"Not stored: {', '.join(refused[:10])}. A file has a plain name and at most {limit} MB."
        )


def store(pack: Pack, user: User, path: str, file: Any) -> bool:
    """Give the asset at a path the bytes of a file; one that is not there is added. False where that is refused."""
    blob = blobs.put(file.read())
    row = pack.assets.filter(Q(path=path) | Q(key=path)).order_by("position").first()
    try:
        with transaction.atomic():
            node = row.pk if row else add_node(pack, NodeKind.ASSET, user, document=document_at(pack, path)).node
            set_asset_content(pack, node or 0, blob, user, label=f"{'Replace' if row else 'Upload'} {path}")
    except EditRefused:
        return False
    return True


def document_at(pack: Pack, path: str) -> Document:
    """A new asset's document that states a path; where its key is another thing, it is made of the file's name."""
    adapter = format_of(pack)
    document = {**adapter.new_document(NodeKind.ASSET, RowIndex(pack)), "path": path}
    if adapter.KEY_POINTERS.get(NodeKind.ASSET) == "/key":
        document["key"] = free_name(pack, slugify(PurePosixPath(path).stem) or document["key"])
    if "media_type" in document:
        document["media_type"] = media_type(path)
    return document


def free_name(pack: Pack, name: str) -> str:
    """A key like `name` that no file of the pack has."""

    def numbered(number: int) -> str:
        return name if number == 1 else f"{name}-{number}"

    return numbered(free_number(lambda number: pack.assets.filter(key=column_text(numbered(number))).exists()))
