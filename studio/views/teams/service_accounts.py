"""Accounts of programs and their keys, for administrators of their team."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from packs.access import Role
from packs.models import Membership, ServiceAccount, Token
from packs.views.shared.lookup import find_team
from packs.views.shared.signed_in import signed_in
from studio.teams.service_accounts import make_service_account
from studio.tokens import issue
from studio.views.accounts import TokenForm, keys_of
from studio.views.teams.forms import ServiceAccountForm
from studio.views.teams.pages import show_team


@signed_in("POST")
def service_account_new(request: HttpRequest, team: str) -> HttpResponse:
    """Make an account for a program. Answers 422 to a name that is taken."""
    row = find_team(request.user, team)
    form = ServiceAccountForm(request.POST)
    if not form.is_valid():
        return show_team(request, row, 422, account_form=form)
    role = Role(form.cleaned_data["role"])
    account = make_service_account(row, form.cleaned_data["name"], role, cast("User", request.user))
    messages.success(request, f"{account} is made. Make its first key.")
    return redirect("studio:service-account", team, account.pk)


def find_account(request: HttpRequest, team: str, pk: int) -> ServiceAccount:
    rows = ServiceAccount.objects.select_related("user", "team").filter(user__is_active=True)
    account: ServiceAccount = get_object_or_404(rows, team=find_team(request.user, team), pk=pk)
    return account


@signed_in("GET", "POST")
def service_account(request: HttpRequest, team: str, pk: int) -> HttpResponse:
    """The keys of an account. POST makes one and shows it in this answer, the only time that it can be seen."""
    account = find_account(request, team, pk)
    form = TokenForm(account.user, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        _, key = issue(account.user, form.wish())
        return show_account(request, account, new_key=key)
    return show_account(request, account, token_form=form, status=422 if form.errors else 200)


def show_account(request: HttpRequest, account: ServiceAccount, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "account": account,
        "team": account.team,
        "member": Membership.objects.filter(team=account.team, user=account.user).first(),
        "tokens": keys_of(account.user),
        "token_form": TokenForm(account.user),
        **more,
    }
    return render(request, "studio/teams/service_account.html", context, status=status)


@signed_in("POST")
def service_key_delete(request: HttpRequest, team: str, pk: int, key: int) -> HttpResponse:
    """Take a key of an account back at once."""
    account = find_account(request, team, pk)
    token = get_object_or_404(Token, pk=key, user=account.user)
    token.delete()
    messages.success(request, f"The key {token.name} no longer works.")
    return redirect("studio:service-account", team, pk)
