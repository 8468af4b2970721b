"""The page on which the cases of an input set move between files."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.access import Permission
from packs.editing import EditRefused
from packs.editing.arranging import arrange, arrangements, ways
from packs.jobs import is_large, start_arranging
from packs.views.shared.lookup import Subject, find_pack
from packs.views.shared.signed_in import signed_in


@signed_in("GET", "HEAD", "POST")
def arrangement(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Show how cases are kept in files, or keep those of one input set another way. Parameters: input_set, how."""
    is_act = request.method == "POST"
    subject = find_pack(request.user, team, slug, Permission.EDIT if is_act else Permission.READ)
    if not is_act:
        return show(request, subject)
    given = request.POST.get("input_set", "")
    wanted = int(given) if given.isdecimal() and len(given) < 19 else 0, request.POST.get("how", "")
    user = cast("User", request.user)
    try:
        if is_large(subject.pack):
            return redirect("packs:job", start_arranging(subject.pack, user, *wanted).pk)
        arrange(subject.pack, *wanted, user)
    except EditRefused as refusal:
        messages.warning(request, refusal.message)
        return show(request, subject, status=422)
    messages.success(request, "The cases were moved. Undo in the workbench brings them back.")
    return redirect("packs:arrangement", team, slug)


def show(request: HttpRequest, subject: Subject, status: int = 200) -> HttpResponse:
    context = {**subject.context, "arrangements": arrangements(subject.pack), "ways": ways(subject.pack)}
    return render(request, "packs/exports/arrangement.html", context, status=status)
