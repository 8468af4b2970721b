"""Downloads of drafts and versions: canonical files, or the imported bytes of each file that was not edited."""

from collections.abc import Callable
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import parse_etags, quote_etag

from packs.exporting import Export, export_draft, export_version, zipped
from packs.formats.abilities import ARRANGERS, TRACERS, WRITERS
from packs.jobs import is_large, start_once
from packs.models import Pack, PackVersion
from packs.views.shared.lookup import find_pack, find_version
from packs.views.shared.signed_in import signed_in


def chosen_version(pack: Pack, request: HttpRequest) -> PackVersion | None:
    """The version that the address names with `version`; None for the draft. Raises Http404 where there is none."""
    given = request.GET.get("version", "")
    if not given:
        return None
    if not given.isdecimal():
        raise Http404
    return find_version(pack, int(given[:12]))


@signed_in("GET")
def exports(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """The page that offers downloads of the draft, or of the version that is chosen."""
    subject = find_pack(request.user, team, slug)
    version = chosen_version(subject.pack, request)
    query = f"?{urlencode({'version': version.number})}" if version else ""
    context = {
        **subject.context,
        "version": version,
        "query": query,
        "variants": dict(writer.VARIANTS) if (writer := WRITERS.get(subject.pack.format)) and not version else {},
        "has_arrangements": ARRANGERS.get(subject.pack.format) is not None,
        "has_origins": TRACERS.get(subject.pack.format) is not None,
        "by_job": version is None and is_large(subject.pack),
        "versions": subject.pack.versions.only("number", "digest")[:50],
    }
    return render(request, "packs/exports/page.html", context)


def one_file(export: Export) -> tuple[str, bytes]:
    """The only file of a pack, or all of them as an archive."""
    return next(iter(export.files.items())) if export.is_single else ("pack.zip", zipped(export))


def archive(export: Export) -> tuple[str, bytes]:
    return "pack.zip", zipped(export)


SHAPES: dict[str, Callable[[Export], tuple[str, bytes]]] = {"file": one_file, "zip": archive, "preserved": one_file}


@signed_in("GET")
def export_as(request: HttpRequest, team: str, slug: str, shape: str) -> HttpResponse:
    """The files themselves, or the page of the job that writes those of a large draft.

    `shape` is file, zip or preserved; the ETag is their digest.
    """
    pack = find_pack(request.user, team, slug).pack
    if shape not in SHAPES:
        raise Http404
    version = chosen_version(pack, request)
    if version is None and is_large(pack):
        columns = {"team": pack.team, "user": request.user, "title": f"Export {pack}"[:300]}
        parameters = {"preserve": shape == "preserved", "revision": pack.revision}
        return redirect("packs:job", start_once("export", pack, parameters, **columns).pk)
    export = export_version(version) if version else export_draft(pack, preserve=shape == "preserved")
    etag = quote_etag(f"{export.digest}-{shape}")
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return HttpResponse(status=304, headers={"ETag": etag})
    name, data = SHAPES[shape](export)
    suffix = name.rpartition(".")[2]
    label = f"{slug}-{version.number}" if version else slug
    headers = {
        "ETag": etag,
        "Content-Disposition": f'attachment; filename="{label}.{suffix}"',
        "X-Content-Type-Options": "nosniff",
        "X-Packwright-Canonical": "no" if export.is_source else "partly" if export.kept else "yes",
    }
    media = "application/zip" if suffix == "zip" else "application/octet-stream"
    return HttpResponse(data, content_type=media, headers=headers)
