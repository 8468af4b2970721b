"""Trying one check of a draft beside its form, as an answer is typed."""

import re
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from packs.access import Permission, permissions
from packs.forms.encoding import decode_pointer
from packs.models import Pack
from packs.views.shared.signed_in import signed_in
from packs.views.workbench.addresses import NodeConverter
from packs.views.workbench.desk import find_row
from runs.jobs.trials.checks import CheckNotTried, try_check
from runs.views.reviews.tryouts import unix
from runs.views.trials.trials import grade_shown


@signed_in("POST")
def check(request: HttpRequest, pk: int) -> HttpResponse:
    """What a check says of an answer. Parameters: node (such as `cases/12`), at (a JSON Pointer in it), answer."""
    pack = get_object_or_404(Pack.objects.reachable_by(request.user).select_related("team"), pk=pk)
    if Permission.RUN not in permissions(request.user, pack.team):
        raise PermissionDenied
    pointer, node = decode_pointer(request.POST.get("at", "")), request.POST.get("node", "")
    if pointer is None or not re.fullmatch(NodeConverter.regex, node):
        raise Http404
    row = find_row(pack, NodeConverter().to_python(node))
    found: dict[str, Any]
    try:
        found = {"grade": grade_shown(try_check(row, pointer, unix(request.POST.get("answer", ""))))}
    except CheckNotTried as refusal:
        found = {"refusal": str(refusal)}
    return render(request, "runs/tryouts/_check.html", found)
