"""Asking those who are signed in again who they are, before something that a thief of a session would do."""

from datetime import timedelta
from typing import Any, cast

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest

from studio.guessing import WINDOW, must_wait
from studio.second_factor.keeping import TooManyGuesses, has_factor, prove

WAIT_MINUTES = WINDOW // timedelta(minutes=1)
WRONG_CODE = "The code is not right, or was used before. Wait for the next one, then enter that."


def confirm(request: HttpRequest, password: str) -> None:
    """Raises ValidationError for another password than that of the user.

    Guesses with a session that somebody else left open count as those at the page for signing in.
    """
    name = request.user.get_username()
    if must_wait(request, name):
        raise forms.ValidationError(f"Too many wrong passwords. Try again in {WAIT_MINUTES} minutes.", code="wait")
    if authenticate(request, username=name, password=password) is None:
        raise forms.ValidationError("Your password is not right. Enter it again.", code="password_incorrect")


def demand_code(user: User, code: str) -> None:
    """Raises ValidationError for a code that is not right; one that is right is used up."""
    try:
        is_right = prove(user, code)
    except TooManyGuesses:
        raise forms.ValidationError(
            f"Too many wrong codes. Try again in {WAIT_MINUTES} minutes.", code="wait"
        ) from None
    if not is_right:
        raise forms.ValidationError(WRONG_CODE, code="invalid")


class CodeField(forms.CharField):
    """A code of the app, or a recovery code."""

    def __init__(self, **options: Any) -> None:
        attributes = {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        super().__init__(max_length=100, label="Code", widget=forms.TextInput(attributes), **options)


class OwnPasswordForm(forms.Form):
    """The password of who is signed in; `purpose` keeps the ids of several such forms apart."""

    password = forms.CharField(
        label="Your password", strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )

    def __init__(self, request: HttpRequest, purpose: str, data: Any = None) -> None:
        super().__init__(data, auto_id=f"{purpose}_%s")
        self.request = request

    def clean_password(self) -> str:
        given = str(self.cleaned_data["password"])
        confirm(self.request, given)
        return given


class ConfirmForm(OwnPasswordForm):
    """The password, and a code where the account has a second factor."""

    code = CodeField(help_text="Of your authenticator app, or a recovery code.")

    def __init__(self, request: HttpRequest, purpose: str, data: Any = None) -> None:
        super().__init__(request, purpose, data)
        self.user = cast("User", request.user)
        if not has_factor(self.user):
            del self.fields["code"]

    def clean_code(self) -> str:
        given = str(self.cleaned_data["code"])
        # The code would be used up for nothing where the form is sent again for its password.
        if "password" in self.cleaned_data:
            demand_code(self.user, given)
        return given
