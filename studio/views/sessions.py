"""Signing in and out, and the theme that a browser keeps."""

from typing import Any

from django.conf import settings
from django.contrib.auth import login, logout
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from studio.guessing import must_wait
from studio.second_factor.demand import FROM_DIRECTORY
from studio.second_factor.keeping import has_factor
from studio.second_factor.waiting import await_code
from studio.views.confirming import WAIT_MINUTES

THEMES = ("light", "dark")
YEAR_SECONDS = 365 * 24 * 3600


def local_url(request: HttpRequest, default: str) -> str:
    """Where to go next: what the request names, if that is a page of this site, else `default`.

    A word alone is none: `redirect` would take it for the name of a view.
    """
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    secure = request.is_secure()
    if wanted.startswith(("/", "http")) and url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=secure
    ):
        return wanted
    return resolve_url(default)


def show_sign_in(request: HttpRequest, onward: str, status: int = 200, **more: Any) -> HttpResponse:
    """The page for signing in: with a password, with the directory, or both."""
    context = {
        "form": None if settings.OIDC_ONLY else AuthenticationForm(request),
        "directory": settings.OIDC_NAME if settings.OIDC_ISSUER else "",
        "next": onward,
        "wait_minutes": WAIT_MINUTES if status == 429 else 0,
        **more,
    }
    return render(request, "studio/sign_in.html", context, status=status)


def enter(request: HttpRequest, user: User, onward: str, *, from_directory: bool = False) -> HttpResponse:
    """Begin the session of somebody who has shown who they are."""
    login(request, user)
    request.session[FROM_DIRECTORY] = from_directory
    return redirect(onward)


def enter_by_password(request: HttpRequest, user: User, onward: str) -> HttpResponse:
    """Let in who gave the password; where the account has a second factor, only after a code."""
    if not has_factor(user):
        return enter(request, user, onward)
    await_code(request, user, onward)
    return redirect("studio:sign-in-code")


@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Ask for name and password. Answers 422 to wrong ones and 429 after too many attempts."""
    onward = local_url(request, settings.LOGIN_REDIRECT_URL)
    if request.user.is_authenticated:
        return redirect(onward)
    if request.method == "GET":
        return show_sign_in(request, onward)
    if settings.OIDC_ONLY:
        return show_sign_in(request, onward, 422, problem="Passwords are not taken here.")
    form = AuthenticationForm(request, data=request.POST)
    if must_wait(request, request.POST.get("username", "")):
        return show_sign_in(request, onward, 429)
    if not form.is_valid():
        return show_sign_in(request, onward, 422, form=form)
    return enter_by_password(request, form.get_user(), onward)


@require_http_methods(["GET", "POST"])
def sign_in_for_staff(request: HttpRequest) -> HttpResponse:
    """Lead to the one page for signing in. Raises PermissionDenied for those who are signed in: the admin sends only
    those here who may not open it."""
    if request.user.is_authenticated:
        raise PermissionDenied
    return redirect_to_login(request.GET.get("next") or reverse("admin:index"))


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("studio:sign-in")


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    """Keep the chosen theme in a cookie, which pages read before they are painted; anything else is the system's."""
    response = redirect(local_url(request, "studio:home"))
    chosen = request.POST.get("theme", "")
    if chosen in THEMES:
        response.set_cookie("theme", chosen, max_age=YEAR_SECONDS, samesite="Lax", secure=request.is_secure())
    else:
        response.delete_cookie("theme", samesite="Lax")
    return response
