"""A user's own account: sessions, password and keys for the API."""

from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from packs.access import Scope
from packs.models import Membership, Pack, Team, Token
from packs.views.shared.signed_in import signed_in
from runs.views.notices.notifications import sets_addresses
from studio.models import SecondFactor, SignIn
from studio.oidc.people import identities_of
from studio.sessions import browser_of, end_others, sessions_of
from studio.tokens import DEFAULT_DAYS, DEFAULT_SCOPES, Wish, issue
from studio.views.confirming import ConfirmForm, OwnPasswordForm, confirm

NEVER = "never"


class PasswordForm(PasswordChangeForm):
    """Changing the own password; the page does not begin there, so it does not take the focus."""

    revoke_keys = forms.BooleanField(
        required=False,
        label="Also revoke my keys for the API",
        help_text="Otherwise they go on working. Tick this if somebody else may know one.",
    )

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(cast("User", request.user), data)
        self.request = request
        self.fields["old_password"].widget.attrs.pop("autofocus", None)

    def clean_old_password(self) -> str:
        given = str(self.cleaned_data["old_password"])
        confirm(self.request, given)
        return given


class AddressForm(OwnPasswordForm):
    """Where mail to the user goes; a thief of a session would read it elsewhere, so the password is asked for."""

    email = forms.EmailField(
        required=False, label="E-mail address", help_text="Notices are mailed here. Empty: none are."
    )
    field_order = ("email", "password")

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(request, "address", data)
        self.fields["email"].initial = cast("User", request.user).email


class TokenForm(forms.Form):
    """What a new key is called, what it may do, where, and for how long."""

    name = forms.CharField(max_length=100, label="Name", help_text="What will use the key, for example a CI job.")
    scopes = forms.MultipleChoiceField(
        choices=[
            (Scope.READ, "Read: packs, runs, results"),
            (Scope.EDIT, "Edit: drafts, imports, publishing"),
            (Scope.RUN, "Run: start and stop runs"),
            (Scope.REVIEW, "Review: reviews and conversations"),
            (Scope.ADMINISTER, "Administer: members, agents, connections, secrets"),
        ],
        initial=DEFAULT_SCOPES,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="It may",
        help_text="Never more than you may. Every key reads.",
    )
    teams = forms.ModelMultipleChoiceField(
        queryset=Team.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Only in these teams",
        help_text="None ticked: in all of yours.",
    )
    pack = forms.ModelChoiceField(
        queryset=Pack.objects.none(), required=False, label="Only with this pack", empty_label="All packs"
    )
    days = forms.ChoiceField(
        choices=[("30", "in 30 days"), ("90", "in 90 days"), ("365", "in a year"), (NEVER, "never")],
        initial=str(DEFAULT_DAYS),
        required=False,
        label="Ends",
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["teams"].queryset = Team.objects.visible_to(user).order_by("name")  # type: ignore[attr-defined]
        self.fields["pack"].queryset = Pack.objects.visible_to(user).by_title()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Refuse a key for one pack that shall do what concerns whole teams."""
        given = super().clean() or {}
        if given.get("pack") and (given.get("teams") or Scope.ADMINISTER in given.get("scopes", ())):
            self.add_error("pack", "A key for one pack is for no other team, and administers nothing.")
        return given

    def wish(self) -> Wish:
        """What was asked for."""
        given = self.cleaned_data
        days = None if given["days"] == NEVER else int(given["days"] or DEFAULT_DAYS)
        scopes = [Scope(scope) for scope in given["scopes"]]
        return Wish(given["name"], days, scopes, given["teams"], given["pack"])


def keys_of(user: User) -> QuerySet[Token]:
    """The keys of a user, the newest first."""
    return Token.objects.filter(user=user).select_related("pack").prefetch_related("teams").order_by("-id")


def account_context(request: HttpRequest, **forms_in_use: Any) -> dict[str, Any]:
    """What the account page shows; a form that failed takes the place of its fresh one."""
    user = cast("User", request.user)
    sessions = [
        (row, browser_of(row.agent), row.session_id == request.session.session_key) for row in sessions_of(user)
    ]
    return {
        "sessions": sessions,
        "has_other_sessions": not all(is_this for _, _, is_this in sessions),
        "password_form": PasswordForm(request),
        "address_form": AddressForm(request) if sets_addresses() else None,
        "directory": settings.OIDC_NAME if settings.OIDC_ISSUER else "",
        "identities": identities_of(user) if settings.OIDC_ISSUER else [],
        "directory_form": ConfirmForm(request, "connect") if settings.OIDC_ISSUER else None,
        "factor": SecondFactor.objects.filter(user=user).first(),
        "token_form": TokenForm(user),
        "tokens": keys_of(user),
        "memberships": Membership.objects.filter(user=user).select_related("team").order_by("team__name"),
        **forms_in_use,
    }


@signed_in("GET")
def account(request: HttpRequest) -> HttpResponse:
    return render(request, "studio/account.html", account_context(request))


@sensitive_post_parameters()
@signed_in("POST")
def password(request: HttpRequest) -> HttpResponse:
    """Change the own password; other sessions of the user end, this one goes on. `revoke_keys` takes the keys back."""
    form = PasswordForm(request, request.POST)
    if not form.is_valid():
        return render(request, "studio/account.html", account_context(request, password_form=form), status=422)
    user = form.save()
    end_others(user, request.session.session_key)
    update_session_auth_hash(request, user)
    reported = "Your password is changed. Other sessions of yours have ended."
    if form.cleaned_data["revoke_keys"]:
        Token.objects.filter(user=request.user.pk).delete()
        reported += " Your keys for the API no longer work."
    messages.success(request, reported)
    return redirect("studio:account")


@sensitive_post_parameters("password")
@signed_in("POST")
def address(request: HttpRequest) -> HttpResponse:
    """Set the own address for mail. Answers 404 where people do not set it, 422 without the right password."""
    if not sets_addresses():
        raise Http404
    form = AddressForm(request, request.POST)
    if not form.is_valid():
        return render(request, "studio/account.html", account_context(request, address_form=form), status=422)
    user = cast("User", request.user)
    user.email = form.cleaned_data["email"]
    user.save(update_fields=["email"])
    messages.success(request, f"Mail goes to {user.email}." if user.email else "No mail is sent to you.")
    return redirect("studio:account")


@signed_in("POST")
def token_create(request: HttpRequest) -> HttpResponse:
    """Make a key and show it in this answer, the only time that it can be seen."""
    user = cast("User", request.user)
    form = TokenForm(user, request.POST)
    if not form.is_valid():
        return render(request, "studio/account.html", account_context(request, token_form=form), status=422)
    _, key = issue(user, form.wish())
    return render(request, "studio/account.html", account_context(request, new_key=key))


@signed_in("POST")
def token_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a key of the user's own back at once."""
    token = get_object_or_404(Token, pk=pk, user_id=request.user.pk)
    token.delete()
    messages.success(request, f"The key {token.name} no longer works.")
    return redirect("studio:account")


@signed_in("POST")
def session_end(request: HttpRequest, pk: int) -> HttpResponse:
    """End one session of the user's own, at once; ending this one signs out."""
    row = get_object_or_404(SignIn, pk=pk, user_id=request.user.pk)
    if row.session_id == request.session.session_key:
        logout(request)
        return redirect("studio:sign-in")
    row.session.delete()
    messages.success(request, f"{browser_of(row.agent)} is signed out.")
    return redirect("studio:account")


@signed_in("POST")
def sessions_end_others(request: HttpRequest) -> HttpResponse:
    """End all sessions of the user but this one."""
    end_others(cast("User", request.user), request.session.session_key)
    messages.success(request, "You are signed out everywhere else.")
    return redirect("studio:account")
