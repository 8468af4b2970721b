"""A user's own account: password and keys for the API."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from packs.models import Membership, Token
from studio.tokens import issue


class PasswordForm(PasswordChangeForm):
    """Changing the own password; the page does not begin there, so it does not take the focus."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].widget.attrs.pop("autofocus", None)


class TokenForm(forms.Form):
    """What a new key is called."""

    name = forms.CharField(max_length=100, label="Name", help_text="What will use the key, for example a CI job.")


def account_context(request: HttpRequest, **forms_in_use: Any) -> dict[str, Any]:
    """What the account page shows; a form that failed takes the place of its fresh one."""
    user = cast("User", request.user)
    return {
        "password_form": PasswordForm(user),
        "token_form": TokenForm(),
        "tokens": Token.objects.filter(user=user).order_by("-id"),
        "memberships": Membership.objects.filter(user=user).select_related("team").order_by("team__name"),
        **forms_in_use,
    }


@login_required
@require_GET
def account(request: HttpRequest) -> HttpResponse:
    return render(request, "studio/account.html", account_context(request))


@sensitive_post_parameters()
@login_required
@require_POST
def password(request: HttpRequest) -> HttpResponse:
    """Change the own password; other sessions of the user end, this one goes on."""
    form = PasswordForm(request.user, request.POST)
    if not form.is_valid():
        return render(request, "studio/account.html", account_context(request, password_form=form), status=422)
    update_session_auth_hash(request, form.save())
    messages.success(request, "Your password is changed. Other sessions of yours have ended.")
    return redirect("studio:account")


@login_required
@require_POST
def token_create(request: HttpRequest) -> HttpResponse:
    """Make a key and show it in this answer, the only time that it can be seen."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return render(request, "studio/account.html", account_context(request, token_form=form), status=422)
    _, key = issue(request.user, form.cleaned_data["name"])  # type: ignore[arg-type]
    response = render(request, "studio/account.html", account_context(request, new_key=key))
    response.headers["Cache-Control"] = "no-store"
    return response


@login_required
@require_POST
def token_delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a key of the user's own back at once."""
    token = get_object_or_404(Token, pk=pk, user_id=request.user.pk)
    token.delete()
    messages.success(request, f"The key {token.name} no longer works.")
    return redirect("studio:account")
