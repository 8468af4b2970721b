"""The second factor: setting it up, new recovery codes, turning it off, and the code at sign-in."""

from typing import Any, cast
from urllib.parse import quote

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from packs.views.shared.signed_in import signed_in
from runs.models.sealing import Unsealable, seal, unseal
from studio.models import SecondFactor
from studio.second_factor.codes import link_of, new_secret, picture_of, plain, step_of
from studio.second_factor.demand import demanding_teams, is_demanded
from studio.second_factor.gate import WANTED
from studio.second_factor.keeping import AlreadyOn, renew_codes, turn_off, turn_on
from studio.second_factor.waiting import Waiting, end_waiting, waiting
from studio.sessions import end_others
from studio.views.confirming import CodeField, ConfirmForm, OwnPasswordForm, demand_code
from studio.views.sessions import enter

# Where the session keeps the secret that is shown until a code confirms it.
OFFER = "second_factor_offer"


class SetUpForm(OwnPasswordForm):
    """A code that shows that the app has the secret, and the password. `step` is the time step of the code."""

    code = CodeField(help_text="The six digits that the app shows.")
    field_order = ("code", "password")

    def __init__(self, request: HttpRequest, secret: str, data: Any = None) -> None:
        super().__init__(request, "set_up", data)
        self.secret = secret
        self.step = 0

    def clean_code(self) -> str:
        given = str(self.cleaned_data["code"])
        step = step_of(self.secret, plain(given), timezone.now().timestamp())
        if step is None:
            raise forms.ValidationError("This is not the code that the app shows now.", code="invalid")
        self.step = step
        return given


class CodeForm(forms.Form):
    """The code of somebody who gave the password."""

    code = CodeField(help_text="The six digits that your authenticator app shows, or a recovery code.")

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(data)
        self.user = user
        self.fields["code"].widget.attrs["autofocus"] = True

    def clean_code(self) -> str:
        given = str(self.cleaned_data["code"])
        demand_code(self.user, given)
        return given


@sensitive_post_parameters("password", "code")
@signed_in("GET", "POST")
def second_factor(request: HttpRequest) -> HttpResponse:
    """What the account has, or how to set it up. POST turns it on and shows the recovery codes, this once.

    Answers 422 to a wrong code or password.
    """
    user = cast("User", request.user)
    factor = SecondFactor.objects.filter(user=user).first()
    if factor is not None or not user.has_usable_password():
        return redirect("studio:second-factor") if request.method == "POST" else show(request, factor)
    secret = offered_secret(request)
    form = SetUpForm(request, secret, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return show_set_up(request, form)
    try:
        codes = turn_on(user, secret, form.step)
    except AlreadyOn:
        return redirect("studio:second-factor")
    del request.session[OFFER]
    request.session.cycle_key()
    # They began without it.
    end_others(user, request.session.session_key)
    return show_codes(request, codes)


@sensitive_post_parameters("password", "code")
@signed_in("POST")
def second_factor_codes(request: HttpRequest) -> HttpResponse:
    """Make new recovery codes, and show them in this answer. Answers 422 to a wrong code or password."""
    factor = SecondFactor.objects.filter(user=request.user.pk).first()
    if factor is None:
        return redirect("studio:second-factor")
    form = ConfirmForm(request, "codes", request.POST)
    if not form.is_valid():
        return show(request, factor, codes_form=form)
    return show_codes(request, renew_codes(form.user))


@sensitive_post_parameters("password", "code")
@signed_in("POST")
def second_factor_end(request: HttpRequest) -> HttpResponse:
    """Turn it off. Answers 422 to a wrong code or password."""
    factor = SecondFactor.objects.filter(user=request.user.pk).first()
    if factor is None:
        return redirect("studio:second-factor")
    form = ConfirmForm(request, "end", request.POST)
    if not form.is_valid():
        return show(request, factor, end_form=form)
    turn_off(form.user)
    messages.success(request, "Your second factor is turned off.")
    return redirect("studio:account")


def offered_secret(request: HttpRequest) -> str:
    """The secret that this session is shown; sealed, since sessions are rows."""
    try:
        secret = unseal(request.session.get(OFFER, ""))
    except Unsealable:
        secret = ""
    if not secret:
        secret = new_secret()
        request.session[OFFER] = seal(secret)
    return secret


def show(request: HttpRequest, factor: SecondFactor | None, **forms_in_use: ConfirmForm) -> HttpResponse:
    """The page of an account that has a second factor, or that has no password and needs none."""
    context = {
        "factor": factor,
        "directory": settings.OIDC_NAME if settings.OIDC_ISSUER else "",
        "codes_left": factor.recovery_codes.count() if factor else 0,
        "teams": demanding_teams(cast("User", request.user)),
        "codes_form": ConfirmForm(request, "codes"),
        "end_form": ConfirmForm(request, "end"),
        **forms_in_use,
    }
    return render(request, "studio/second_factor/page.html", context, status=422 if forms_in_use else 200)


def show_set_up(request: HttpRequest, form: SetUpForm) -> HttpResponse:
    user = cast("User", request.user)
    picture = picture_of(link_of(form.secret, user.get_username(), f"Packwright {request.get_host()}"))
    context = {
        "form": form,
        "picture": picture,
        "secret": " ".join(form.secret[start : start + 4] for start in range(0, len(form.secret), 4)),
        "teams": demanding_teams(user),
        "is_demanded": is_demanded(request),
    }
    return render(request, "studio/second_factor/set_up.html", context, status=422 if form.errors else 200)


def show_codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    """Recovery codes that were just made, also as a file within the page: they are stored nowhere."""
    head = f"Recovery codes of {request.user} at {request.get_host()}. Each works once."
    content = quote("\n".join([head, "", *codes, ""]))
    context = {
        "codes": codes,
        "file": f"data:text/plain;charset=utf-8,{content}",
        "onward": request.session.pop(WANTED, resolve_url(settings.LOGIN_REDIRECT_URL)),
    }
    return render(request, "studio/second_factor/codes.html", context)


@sensitive_post_parameters("code")
@require_http_methods(["GET", "POST"])
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """Ask for a code of somebody who gave the password. Answers 422 to a wrong one and after too many."""
    if request.user.is_authenticated:
        return redirect(resolve_url(settings.LOGIN_REDIRECT_URL))
    came: Waiting | None = waiting(request)
    if came is None:
        return redirect("studio:sign-in")
    form = CodeForm(came.user, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        status = 422 if form.errors else 200
        return render(request, "studio/second_factor/sign_in.html", {"form": form}, status=status)
    end_waiting(request)
    return enter(request, came.user, came.onward)
