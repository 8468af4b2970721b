"""Who asks and from where, for all that a request does; and what it takes away."""

import logging
from collections.abc import Callable

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponseBase

from packs.audit import Origin, coming_from, record

ATTACHED = "attachment"
log = logging.getLogger(__name__)


class Recorded:
    """Middleware: acts of a request are recorded with its user and address, and so are downloads."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with coming_from(request) as origin:
            response = self.get_response(request)
            if response.status_code == 200 and response.headers.get("Content-Disposition", "").startswith(ATTACHED):
                note(request, origin)
            return response


def note(request: HttpRequest, origin: Origin) -> None:
    """Record a download, which is not refused because this cannot be written: the disk may be full."""
    try:
        record("file.downloaded", request.path, team=origin.team)
    except DatabaseError:
        log.exception("audit.unwritten", extra={"path": request.path})
