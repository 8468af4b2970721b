"""Export of a draft in another variant of its format, after a look at what that variant cannot say."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.exporting import export_variant, zipped
from packs.formats.abilities import WRITERS
from packs.jobs import is_large, start_variant
from packs.views.shared.lookup import find_pack
from packs.views.shared.signed_in import signed_in


@signed_in("GET")
def variant_export(request: HttpRequest, team: str, slug: str, variant: str) -> HttpResponse:
    """Show what a variant loses; with `download` the files themselves, as a ZIP. Of a large draft a job says both."""
    subject = find_pack(request.user, team, slug)
    writer = WRITERS.get(subject.pack.format)
    if writer is None or variant not in writer.VARIANTS:
        raise Http404
    if is_large(subject.pack):
        return redirect("packs:job", start_variant(subject.pack, request.user, variant).pk)  # type: ignore[arg-type]
    export, losses = export_variant(subject.pack, variant)
    if "download" not in request.GET:
        context = {**subject.context, "variant": variant, "words": writer.VARIANTS[variant], "losses": losses}
        return render(request, "packs/exports/variant.html", {**context, "count": len(export.files)})
    headers = {
        "Content-Disposition": f'attachment; filename="{slug}-{variant}.zip"',
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(zipped(export), content_type="application/zip", headers=headers)
