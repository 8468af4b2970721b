"""The user's teams, a new team, and the page of one: who is in it, and who may do what."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from packs.access import Permission, Role, permissions_on
from packs.models import Membership, ServiceAccount, Team
from packs.views.shared.lookup import find_team
from packs.views.shared.signed_in import signed_in
from runs.quotas import recent_usages
from studio.second_factor.keeping import resettable_by
from studio.teams.invitations import open_invitations
from studio.teams.members import grants, make_team, may_make_teams, who_can_help
from studio.views.teams.forms import HandOverForm, InvitationForm, NewTeamForm, RulesForm, ServiceAccountForm


@signed_in("GET")
def team_list(request: HttpRequest) -> HttpResponse:
    """The user's teams with the role in each."""
    mine = Membership.objects.filter(user=request.user.pk).select_related("team").order_by("team__name")
    rows = mine.annotate(people=Count("team__memberships"))
    context = {"memberships": rows, "may_make": may_make_teams(request.user)}
    return render(request, "studio/teams/list.html", context)


@signed_in("GET", "POST")
def new_team(request: HttpRequest) -> HttpResponse:
    """Make a team, whose first administrator the user is. Answers 422 without a name."""
    if not may_make_teams(request.user):
        raise PermissionDenied
    form = NewTeamForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        team = make_team(form.cleaned_data["name"], cast("User", request.user))
        messages.success(request, f"{team} is made. Invite its members.")
        return redirect("studio:team", team.slug)
    return render(request, "studio/teams/new.html", {"form": form}, status=422 if form.errors else 200)


def team_context(request: HttpRequest, team: Team, **forms_in_use: Any) -> dict[str, Any]:
    """What the page of a team shows; a form that failed takes the place of its fresh one."""
    rows = Membership.objects.filter(team=team).select_related("user__service_account", "user__second_factor")
    members = list(rows.order_by("user__username"))
    user = cast("User", request.user)
    may = permissions_on(user, team)
    may_administer = Permission.ADMINISTER in may
    for_administrators = {
        "invitations": open_invitations(team),
        "accounts": ServiceAccount.objects.filter(team=team, user__is_active=True).select_related("user"),
        "rules_form": RulesForm(team),
        "invitation_form": InvitationForm(),
        "account_form": ServiceAccountForm(),
        "hand_over_form": HandOverForm(team, user),
        "resettable": resettable_by(user, [each.user for each in members if hasattr(each.user, "second_factor")]),
    }
    return {
        "team": team,
        "role": Role(team.role).label,  # type: ignore[attr-defined]
        "roles": Role.choices,
        "members": members,
        "usages": recent_usages(team),
        "grants": grants(),
        "helpers": who_can_help([team]),
        "may_administer": may_administer,
        "may_curate": Permission.CURATE in may,
        **(for_administrators if may_administer else {}),
        **forms_in_use,
    }


def show_team(request: HttpRequest, team: Team, status: int = 200, **more: Any) -> HttpResponse:
    return render(request, "studio/teams/team.html", team_context(request, team, **more), status=status)


@signed_in("GET", "POST")
def team_page(request: HttpRequest, team: str) -> HttpResponse:
    """A team; administrators change its name and rules."""
    needed = Permission.ADMINISTER if request.method == "POST" else Permission.READ
    row = find_team(request.user, team, needed)
    if request.method == "GET":
        return show_team(request, row)
    form = RulesForm(row, request.POST)
    if not form.is_valid():
        return show_team(request, find_team(request.user, team), 422, rules_form=form)
    form.save()
    messages.success(request, f"{row} is saved.")
    return redirect("studio:team", team)
