"""Badges: pictures of a pack's results that everybody sees who has their link, until it is taken back."""

from collections.abc import Callable, Iterable
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_GET

from packs.access import Permission
from packs.formats.characters import storable
from packs.views.shared.lookup import find_pack
from packs.views.shared.signed_in import signed_in
from runs.models import Badge
from runs.models.runs import ALL_SETS
from runs.results.badges import badge_svg, proof_svg, trend_of_badge, trend_svg
from runs.results.trends import NO_SET, Trend, ended_runs, sets_of
from runs.views.sharing.public import public_answer

# More links than this nobody keeps an eye on.
MOST_BADGES = 50


def with_addresses(request: HttpRequest, badges: Iterable[Badge]) -> list[tuple[Any, ...]]:
    """Badges, each with the whole addresses of its four pictures."""

    def whole(name: str, badge: Badge) -> str:
        return request.build_absolute_uri(reverse(name, args=[badge.token]))

    names = ("runs:badge", "runs:badge-trend", "runs:badge-proof", "runs:badge-proof-set")
    return [(badge, *(whole(name, badge) for name in names)) for badge in badges]


@signed_in("POST")
def new_badge(request: HttpRequest, team: str, slug: str) -> HttpResponse:
    """Make a link to the results of one agent. Parameters: set, agent."""
    pack = find_pack(request.user, team, slug, Permission.CURATE).pack
    agent, chosen = storable(request.POST.get("agent", "")).strip()[:120], request.POST.get("set", "")
    runs = ended_runs(pack).filter(team=pack.team_id, agents__name=agent)
    if chosen not in sets_of(list(runs)):
        messages.error(request, "Choose an agent that has run this pack.")
    elif Badge.objects.live().filter(pack=pack).count() >= MOST_BADGES:
        messages.error(request, f"A pack has at most {MOST_BADGES} badges. Revoke one first.")
    else:
        values = {"created_by": cast(User, request.user)}
        Badge.objects.live().get_or_create(pack=pack, agent=agent, input_set=chosen, defaults=values)
        messages.success(request, "The badge can be seen by everybody who has its link.")
    return redirect("runs:trends", team, slug)


@signed_in("POST")
def delete_badge(request: HttpRequest, team: str, slug: str, pk: int) -> HttpResponse:
    """Take the link of a badge back: nobody sees its pictures any more."""
    pack = find_pack(request.user, team, slug, Permission.CURATE).pack
    get_object_or_404(Badge, pack=pack, pk=pk).take_back(cast(User, request.user))
    messages.success(request, "The badge was revoked. Its link shows nothing any more.")
    return redirect("runs:trends", team, slug)


@require_GET
def badge_picture(request: HttpRequest, token: str) -> HttpResponse:
    """The pass rate of the newest run, as SVG, for everybody who has the link."""
    return _picture(token, badge_svg)


@require_GET
def trend_picture(request: HttpRequest, token: str) -> HttpResponse:
    """The pass rate over the newest runs, as SVG, for everybody who has the link."""
    return _picture(token, trend_svg)


@require_GET
def proof_picture(request: HttpRequest, token: str) -> HttpResponse:
    """How many cases of the newest version are proven, as SVG, for everybody who has the link."""
    return _picture(token, lambda badge, trend: proof_svg(badge))


@require_GET
def set_proof_picture(request: HttpRequest, token: str) -> HttpResponse:
    """The same of the input set that the badge is of; of all cases where it is of no single one."""
    return _picture(token, lambda badge, trend: proof_svg(badge, set_of(badge)))


def set_of(badge: Badge) -> str:
    """The key of the input set that a badge is of; empty where its runs were of no single one."""
    return "" if badge.input_set in (ALL_SETS, NO_SET) else badge.input_set


def _picture(token: str, drawn: Callable[[Badge, Trend], str]) -> HttpResponse:
    badge = get_object_or_404(Badge.objects.kept().live().select_related("pack__team"), token=token)
    return public_answer(drawn(badge, trend_of_badge(badge)), "image/svg+xml")
