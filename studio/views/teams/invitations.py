"""Inviting to a team, and joining it by the link."""

from typing import Any, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from packs.models import Invitation, Membership
from packs.views.shared.lookup import find_team
from packs.views.shared.signed_in import signed_in
from studio.teams.invitations import InvitationEnded, TooManyInvitations, find, invite, join, link_of, mail
from studio.views.teams.forms import AccountForm, InvitationForm
from studio.views.teams.pages import show_team


@signed_in("POST")
def invitation_new(request: HttpRequest, team: str) -> HttpResponse:
    """Make an invitation: mail its link, or show it in this answer, the only time that it can be seen."""
    row = find_team(request.user, team)
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return show_team(request, row, 422, invitation_form=form)
    try:
        invitation, secret = invite(row, cast("User", request.user), form.offer())
    except TooManyInvitations as refused:
        form.add_error(None, str(refused))
        return show_team(request, row, 422, invitation_form=form)
    link = link_of(request, secret)
    if invitation.email and mail(invitation, link):
        messages.success(request, f"The link is on its way to {invitation.email}.")
        return redirect("studio:team", team)
    return show_team(request, row, new_link=link, unsent=invitation.email)


@signed_in("POST")
def invitation_end(request: HttpRequest, team: str, pk: int) -> HttpResponse:
    """Take an invitation back: its link lets nobody in any more."""
    invitation = get_object_or_404(Invitation, team=find_team(request.user, team), pk=pk)
    invitation.delete()
    messages.success(request, "The invitation was revoked. Its link lets nobody in any more.")
    return redirect("studio:team", team)


@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "POST"])
def join_team(request: HttpRequest, secret: str) -> HttpResponse:
    """What an invitation offers. POST joins; people without an account make one with it, where the site allows that.

    Answers 404 to a link that does not work, 422 to an account that cannot be made.
    """
    invitation = find(secret)
    if invitation is None:
        return render(request, "studio/teams/join.html", status=404)
    posted = request.method == "POST"
    if request.user.is_authenticated:
        if posted:
            return joined(request, invitation, request.user)
        member = Membership.objects.filter(team=invitation.team, user=request.user.pk).first()
        return show_offer(request, invitation, member=member)
    may_make = settings.INVITED_ACCOUNTS and not settings.OIDC_ONLY
    form = AccountForm(request.POST if posted else None) if may_make else None
    if form is None or not posted or not form.is_valid():
        return show_offer(request, invitation, status=422 if posted else 200, form=form)
    with transaction.atomic():
        user = form.save()
        answer = joined(request, invitation, user)
    login(request, user)
    return answer


def show_offer(request: HttpRequest, invitation: Invitation, status: int = 200, **more: Any) -> HttpResponse:
    sign_in = f"{reverse('studio:sign-in')}?{urlencode({'next': request.path})}"
    context = {"invitation": invitation, "sign_in": sign_in, **more}
    return render(request, "studio/teams/join.html", context, status=status)


def joined(request: HttpRequest, invitation: Invitation, user: User) -> HttpResponse:
    """Let a user in, and lead to the team."""
    try:
        member = join(invitation, user)
    except InvitationEnded:
        return render(request, "studio/teams/join.html", status=404)
    messages.success(request, f"You are {member.get_role_display()} in {invitation.team}.")
    return redirect("studio:team", invitation.team.slug)
