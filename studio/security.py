"""Headers of every answer: what a page may run and load, and who may keep it."""

import secrets
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase

# Where browsers report what a policy forbade; browsers know the one or the other way of saying so.
REPORTS = "/reports/policy/"
REPORTING = f"report-to policy; report-uri {REPORTS}"
POLICY = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; "
    "frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; manifest-src 'self'; " + REPORTING
)
# The admin theme evaluates expressions in its markup and sets style attributes; its pages are for staff alone.
ADMIN_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; " + REPORTING
)


class ContentSecurityPolicy:
    """Middleware that gives each request a `csp_nonce` and each answer a policy, unless its view set one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        nonce = secrets.token_urlsafe(16)
        request.csp_nonce = nonce  # type: ignore[attr-defined]
        response = self.get_response(request)
        policy = ADMIN_POLICY if request.path.startswith(settings.ADMIN_PATH) else POLICY.format(nonce=nonce)
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers["Reporting-Endpoints"] = f'policy="{REPORTS}"'
        response.headers.setdefault("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
        return response


class PrivateAnswers:
    """Middleware: no answer of a view is kept by a proxy, and none is shown by a browser once its user signed out.

    Answers with an ETag may be kept by the browser, which has to ask again whether they still hold. Static files are
    answered before; their names say what they hold, so everybody may keep them.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        kept = "private, no-cache" if response.has_header("ETag") else "private, no-store"
        response.headers.setdefault("Cache-Control", kept)
        return response
