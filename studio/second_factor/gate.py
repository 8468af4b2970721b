"""Who has to set up a second factor is led there, and can do nothing else."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from packs.views.shared.fragments import is_by_script
from studio.api import answer_finding
from studio.authentication import key_of
from studio.refusals import ROOT, finding_of
from studio.second_factor.demand import is_demanded

# Setting it up, leaving, and how pages look.
# Where the session keeps the page that somebody asked for before.
WANTED = "second_factor_wanted"
OPEN = frozenset({"studio:second-factor", "studio:sign-out", "studio:theme"})
NEEDED = "Your team wants its members to have a second factor. Set it up on your account page."


class FactorGate:
    """Middleware: no view is asked for a session whose user lacks a second factor that a team demands.

    Keys of the API are no sign-in, and go on working.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, *given: Any) -> HttpResponseBase | None:
        match = request.resolver_match
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or (match and match.view_name in OPEN):
            return None
        # The reference of the API is a page.
        is_program = request.path_info.startswith(ROOT) and request.path_info != ROOT
        # A key that is sent to the API lets in by itself or not at all, whatever session there is.
        if (is_program and key_of(request) is not None) or not is_demanded(request):
            return None
        if is_program:
            return answer_finding(finding_of("second_factor_needed", NEEDED, ()), 403)
        if is_by_script(request):
            # Scripts take this for a session that ended, and offer to sign in, which leads to the page.
            return HttpResponse(status=401)
        if request.method == "GET":
            request.session[WANTED] = request.get_full_path()
        return redirect("studio:second-factor")
