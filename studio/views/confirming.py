"""Asking those who are signed in for their password again, before something that a thief of a session would do."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.http import HttpRequest

from studio.guessing import WINDOW, must_wait


def confirm(request: HttpRequest, password: str) -> None:
    """Raises ValidationError for another password than that of the user.

    Guesses with a session that somebody else left open count as those at the page for signing in.
    """
    name = request.user.get_username()
    if must_wait(request, name):
        minutes = WINDOW // timedelta(minutes=1)
        raise forms.ValidationError(f"Too many wrong passwords. Try again in {minutes} minutes.", code="wait")
    if authenticate(request, username=name, password=password) is None:
        raise forms.ValidationError("Your password is not right. Enter it again.", code="password_incorrect")


class ConfirmForm(forms.Form):
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
