"""Who asks and from where, for all that a request does; and what it takes away."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from packs.audit import coming_from, record_if_possible

ATTACHED = "attachment"


class Recorded:
    """Middleware: acts of a request are recorded with its user and address, and so are downloads."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with coming_from(request) as origin:
            response = self.get_response(request)
            if response.status_code == 200 and response.headers.get("Content-Disposition", "").startswith(ATTACHED):
                record_if_possible("file.downloaded", request.path, team=origin.team)
            return response
