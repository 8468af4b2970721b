"""Sharing a run, a comparison or a replay: as one file, and by links that end and can be taken back."""

from datetime import timedelta
from typing import cast
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.timezone import now

from packs.access import Permission, permissions
from packs.views.shared.signed_in import signed_in
from runs.models import SharedPage
from runs.results.sharing import MOST_DAYS, MOST_LINKS, USUAL_DAYS, Shareable, find_shareable, read_subject
from runs.views.sharing.public import POLICY


def asked(request: HttpRequest, needed: Permission) -> Shareable:
    """What the parameter `of` names."""
    text = request.POST.get("of", "") or request.GET.get("of", "")
    return find_shareable(request.user, read_subject(text), needed)


def address_of(shareable: Shareable) -> str:
    return f"{reverse('runs:shares')}?{urlencode({'of': str(shareable.subject)}, safe=':,@')}"


@signed_in("GET")
def shares(request: HttpRequest) -> HttpResponse:
    """What can be shared, and the links to it so far. Parameter: of."""
    shareable = asked(request, Permission.READ)
    may_share = Permission.CURATE in permissions(request.user, shareable.team)
    rows = SharedPage.objects.filter(team=shareable.team, subject=str(shareable.subject))
    links = [
        (link, request.build_absolute_uri(reverse("runs:shared", args=[link.token])))
        for link in (rows.select_related("created_by", "ended_by")[: 2 * MOST_LINKS] if may_share else ())
    ]
    context = {
        "subject": shareable.subject,
        "run": shareable.runs[0],
        "trial": shareable.trial,
        "may_share": may_share,
        "links": links,
        "usual_days": USUAL_DAYS,
        "most_days": MOST_DAYS,
    }
    return render(request, "runs/sharing/page.html", context)


@signed_in("GET")
def shared_file(request: HttpRequest) -> HttpResponse:
    """A run, a comparison or a replay as one HTML file. Parameter: of."""
    return page_file(asked(request, Permission.READ))


def page_file(shareable: Shareable) -> HttpResponse:
    """The page of something as a file to be kept; where a browser shows it, it runs nothing."""
    answer = HttpResponse(shareable.page(), content_type="text/html; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{shareable.subject.file_name}"'
    answer["Content-Security-Policy"] = POLICY
    return answer


@signed_in("POST")
def new_share(request: HttpRequest) -> HttpResponse:
    """Make a link. Parameters: of, days."""
    shareable = asked(request, Permission.CURATE)
    made = make_link(shareable, cast(User, request.user), request.POST.get("days", ""))
    if made is None:
        messages.error(request, f"There are {MOST_LINKS} links to this already. Revoke one first.")
    else:
        messages.success(request, "The page can be seen by everybody who has its link.")
    return redirect(address_of(shareable))


def make_link(shareable: Shareable, user: User, days: str) -> SharedPage | None:
    """A link that shows something for so many days; None where there are as many as one can keep an eye on."""
    rows = SharedPage.objects.filter(team=shareable.team, subject=str(shareable.subject))
    if rows.live().count() >= MOST_LINKS:
        return None
    wanted = int(days) if days.isascii() and days.isdecimal() and len(days) < 5 else USUAL_DAYS
    ends = now() + timedelta(days=min(max(wanted, 1), MOST_DAYS))
    return SharedPage.objects.create(
        team=shareable.team, subject=str(shareable.subject), created_by=user, expires_at=ends
    )


@signed_in("POST")
def end_share(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a link back: it shows nothing any more."""
    link = get_object_or_404(SharedPage.objects.visible_to(request.user), pk=pk)
    shareable = find_shareable(request.user, read_subject(link.subject), Permission.CURATE)
    link.take_back(cast(User, request.user))
    messages.success(request, "The link was revoked. It shows nothing any more.")
    return redirect(address_of(shareable))
