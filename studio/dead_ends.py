"""What answers where no view can: addresses that lead nowhere, sessions that ended, quotas and disks that are full."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render, resolve_url

from packs.formats.findings import Finding, Severity
from packs.grid.queries import LONGEST_QUERY
from packs.models import Team
from packs.quotas import QuotaReached
from packs.views.shared.fragments import is_by_script
from studio.api import answer_finding
from studio.disk import is_for_want_of_room
from studio.refusals import ROOT, finding_of
from studio.teams.members import who_can_help

ZERO = "The address holds a zero byte (%00), which no text of the studio has."
LONG = f"At most {LONGEST_QUERY} characters may follow the question mark of an address. Search for less."
DISK_FULL = "The disk of the studio is full, so this could not be saved. Try again when an administrator has made room."


class HostileQueries:
    """Middleware: a query with a zero byte or of too many characters is refused.

    PostgreSQL cannot look for a zero byte, and nothing stored has any.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        query = request.META.get("QUERY_STRING", "")
        if len(query) > LONGEST_QUERY:
            return refused(request, "long_query", LONG, 414, "The address is too long")
        if "%00" in query:
            return refused(request, "zero_byte", ZERO, 400)
        return self.get_response(request)


def refused(request: HttpRequest, code: str, message: str, status: int, heading: str = "") -> HttpResponse:
    """A page for people, a finding for programs."""
    if request.path_info.startswith(ROOT):
        return answer_finding(finding_of(code, message, ()), status)
    return render(request, "400.html", {"message": message, "heading": heading}, status=status)


class NoRoom:
    """Middleware: what a quota refuses is answered with 403, what the disk has no room for with 507."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The answer to a request that failed for want of room; None for any other error."""
        if isinstance(error, QuotaReached):
            finding, status, page = Finding(error.code, Severity.ERROR, (), error.message), 403, "quota.html"
        elif is_for_want_of_room(error):
            finding, status, page = finding_of("disk_full", DISK_FULL, ()), 507, "507.html"
        else:
            return None
        if request.path_info.startswith(ROOT):
            return answer_finding(finding, status)
        return render(request, page, {"message": finding.message}, status=status)


class SignedOut:
    """Middleware: a script gets 401 where a person is led to the page to sign in.

    A script that followed would take that page for an answer to its question, and what it sent for saved.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if is_by_script(request) and leads_to_sign_in(response):
            return HttpResponse(status=401)
        return response


def leads_to_sign_in(response: HttpResponse) -> bool:
    address, _, _ = response.headers.get("Location", "").partition("?")
    return response.status_code == 302 and address == resolve_url(settings.LOGIN_URL)


class DeadEnds:
    """Middleware: people who open the address that a form is sent to get a page instead of an empty answer.

    It happens after a session has ended in front of a form: signing in leads back to where the form went.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 405 and request.method == "GET" and not response.content and wants_a_page(request):
            page = render(request, "405.html", status=405)
            page["Allow"] = response["Allow"]
            return page
        return response


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for people who may not do this (`handler403`): it names those who can help.

    They are the administrators of the team in the address, or of every team of the user.
    """
    teams = Team.objects.visible_to(request.user)
    named = request.resolver_match.kwargs.get("team") if request.resolver_match else None
    if named and teams.filter(slug=named).exists():
        teams = teams.filter(slug=named)
    return render(request, "403.html", {"helpers": who_can_help(teams)}, status=403)


def wants_a_page(request: HttpRequest) -> bool:
    """Whether a browser asks for a page to show: programs that ask for anything get the bare answer."""
    return "text/html" in request.headers.get("Accept", "")
