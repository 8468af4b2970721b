"""Pages for addresses that lead nowhere."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from packs.grid.queries import LONGEST_QUERY
from packs.models import Team
from studio.api import answer_finding
from studio.refusals import ROOT, finding_of
from studio.teams.members import who_can_help

ZERO = "The address holds a zero byte (%00), which no text of the studio has."
LONG = f"At most {LONGEST_QUERY} characters may follow the question mark of an address. Search for less."


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
