"""Signing in with the directory, and connecting it to an account that has a password."""

import logging
import secrets
from typing import Any, cast

from allauth.core.context import request_context
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET

from packs.views.shared.signed_in import signed_in
from studio import guessing
from studio.audit import doors
from studio.models import SignInAttempt
from studio.oidc import people
from studio.oidc.provider import Identity, SignOnFailed, identity_of, leave_for, state_of
from studio.proxies import counted_address
from studio.views.accounts import account_context
from studio.views.confirming import ConfirmForm
from studio.views.sessions import enter, local_url, show_sign_in

LOST = "You came back too late, or with another browser. Try again."
UNREACHABLE = "The directory cannot be reached now. Try again later."
UNBELIEVED = "The directory did not confirm who you are. Try again; if that does not help, ask your administrator."
log = logging.getLogger(__name__)


def demand_directory() -> None:
    """Raises Http404 where the studio has no directory."""
    if not settings.OIDC_ISSUER:
        raise Http404


@require_GET
def leave(request: HttpRequest) -> HttpResponse:
    """Send the browser to the directory. Answers 429 after too many attempts that came to nothing."""
    demand_directory()
    onward = local_url(request, settings.LOGIN_REDIRECT_URL)
    if request.user.is_authenticated:
        return redirect(onward)
    nonce = secrets.token_urlsafe(32)
    address = guessing.address_of(request)
    # Each attempt has a name of its own: the people of an office with one address do not wait for each other.
    if not guessing.begin(guessing.counted_name(nonce), counted_address(address)):
        log.warning("sign_in.blocked", extra={"account": "", "address": address})
        return show_sign_in(request, onward, 429)
    try:
        with request_context(request):
            return leave_for(request, onward=onward, nonce=nonce)
    except SignOnFailed as failed:
        log.warning("oidc.failed", extra={"why": str(failed)})
        return show_sign_in(request, onward, 503, problem=UNREACHABLE)


@require_GET
def come_back(request: HttpRequest) -> HttpResponse:
    """Let in whom the directory names. Answers 422 where it names nobody, or somebody who may not come in."""
    demand_directory()
    with request_context(request):
        state = state_of(request)
        if state is None:
            return show_sign_in(request, local_url(request, settings.LOGIN_REDIRECT_URL), 422, problem=LOST)
        try:
            identity = identity_of(request, state)
        except SignOnFailed as failed:
            log.warning("oidc.failed", extra={"why": str(failed)})
            return turned_away(request, state, UNBELIEVED)
    try:
        return let_in(request, state, identity)
    except people.Refused as refused:
        return turned_away(request, state, str(refused), identity.username)
    except IntegrityError:
        # The same identity came twice at the same moment.
        return turned_away(request, state, UNBELIEVED, identity.username)


def let_in(request: HttpRequest, state: dict[str, Any], identity: Identity) -> HttpResponse:
    """Sign in, or connect the account from which the browser left. Raises Refused."""
    if state["data"] is None:
        user = people.account_of(identity)
        SignInAttempt.objects.filter(name=guessing.counted_name(state["nonce"])).delete()
        return enter(request, user, state["next"], from_directory=True)
    if request.user.pk != state["data"]:
        raise people.Refused(LOST)
    people.connect(identity, cast("User", request.user))
    messages.success(request, f"You can sign in with {settings.OIDC_NAME} from now on.")
    return redirect("studio:account")


def turned_away(request: HttpRequest, state: dict[str, Any], why: str, name: str = "") -> HttpResponse:
    doors.refused(name, why)
    if state["data"] is not None and request.user.is_authenticated:
        messages.error(request, why)
        return redirect("studio:account")
    return show_sign_in(request, local_url(request, settings.LOGIN_REDIRECT_URL), 422, problem=why)


def unconfirmed(request: HttpRequest) -> HttpResponse | None:
    """The account page with what is wrong, where it is not shown again who asks; None where it is."""
    demand_directory()
    form = ConfirmForm(request, "connect", request.POST)
    if form.is_valid():
        return None
    return render(request, "studio/account.html", account_context(request, directory_form=form), status=422)


@sensitive_post_parameters("password", "code")
@signed_in("POST")
def connect(request: HttpRequest) -> HttpResponse:
    """Send somebody who gave the password again to the directory, to connect an identity there."""
    if refusal := unconfirmed(request):
        return refusal
    nonce = secrets.token_urlsafe(32)
    try:
        with request_context(request):
            there = leave_for(request, onward="", nonce=nonce, connecting=request.user.pk).headers["Location"]
    except SignOnFailed as failed:
        log.warning("oidc.failed", extra={"why": str(failed)})
        messages.error(request, UNREACHABLE)
        return redirect("studio:account")
    # Browsers follow no redirect to another site after a form (`form-action` of the policy), so this is a page.
    page = render(request, "studio/leaving.html", {"there": there, "directory": settings.OIDC_NAME})
    page.headers["Refresh"] = f"0; url={there}"
    return page


@sensitive_post_parameters("password", "code")
@signed_in("POST")
def disconnect(request: HttpRequest) -> HttpResponse:
    """Forget the identities of somebody who gave the password again, and take back the roles that they brought."""
    if refusal := unconfirmed(request):
        return refusal
    people.disconnect(cast("User", request.user))
    messages.success(request, f"You no longer sign in with {settings.OIDC_NAME}.")
    return redirect("studio:account")
