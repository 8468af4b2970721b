"""Acts on the members of a team."""

from collections.abc import Callable
from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect

from packs.access import Permission, Role
from packs.models import Membership
from packs.views.shared.lookup import find_team
from packs.views.shared.signed_in import signed_in
from studio.second_factor.keeping import reset, resettable_by
from studio.teams.members import Kept, change_role, hand_over, remove
from studio.views.teams.forms import HandOverForm, RoleForm
from studio.views.teams.pages import show_team


def attempt(request: HttpRequest, act: Callable[[], None], done: str) -> bool:
    """Do something that roles may be kept from, and say what came of it."""
    try:
        act()
    except Kept as refused:
        messages.error(request, str(refused))
        return False
    messages.success(request, done)
    return True


def find_member(request: HttpRequest, team: str, pk: int) -> Membership:
    rows = Membership.objects.select_related("user", "team")
    member: Membership = get_object_or_404(rows, team=find_team(request.user, team), pk=pk)
    return member


@signed_in("POST")
def member_role(request: HttpRequest, team: str, pk: int) -> HttpResponse:
    """Give a member another role."""
    member = find_member(request, team, pk)
    form = RoleForm(request.POST)
    if form.is_valid():
        role = Role(form.cleaned_data["role"])
        attempt(request, lambda: change_role(member, role), f"{member.user} is {role.label} now.")
    return redirect("studio:team", team)


@signed_in("POST")
def member_remove(request: HttpRequest, team: str, pk: int) -> HttpResponse:
    """Take a member out of the team."""
    member = find_member(request, team, pk)
    attempt(request, lambda: remove(member), f"{member.user} is no longer in {member.team}.")
    return redirect("studio:team", team)


@signed_in("POST")
def member_factor_reset(request: HttpRequest, team: str, pk: int) -> HttpResponse:
    """Take away the second factor of a member who cannot use it any more.

    Raises PermissionDenied where the person is in teams that the administrator does not administer.
    """
    member, user = find_member(request, team, pk), cast("User", request.user)
    if member.user_id not in resettable_by(user, [member.user]):
        raise PermissionDenied
    if reset(member.user, by=user, team=member.team):
        messages.success(request, f"The second factor of {member.user} is reset. A password is enough now.")
    return redirect("studio:team", team)


@signed_in("POST")
def leave(request: HttpRequest, team: str) -> HttpResponse:
    """Leave a team."""
    row = find_team(request.user, team, Permission.READ)
    member = Membership.objects.select_related("user", "team").get(team=row, user=request.user.pk)
    has_left = attempt(request, lambda: remove(member), f"You have left {row}.")
    return redirect("studio:teams") if has_left else redirect("studio:team", team)


@signed_in("POST")
def team_hand_over(request: HttpRequest, team: str) -> HttpResponse:
    """Make somebody else administrator in one's own place."""
    row = find_team(request.user, team)
    form = HandOverForm(row, request.user, request.POST)
    if not form.is_valid():
        return show_team(request, row, 422, hand_over_form=form)
    other = form.cleaned_data["to"]
    member = Membership.objects.select_related("user", "team").get(team=row, user=cast("User", request.user))
    attempt(request, lambda: hand_over(member, other), f"{other.user} administers {row} now. You are a curator.")
    return redirect("studio:team", team)
