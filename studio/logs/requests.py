"""Which request a line of the log came of: its id, who sent it, and from where."""

import re
import uuid
from collections.abc import Callable, MutableMapping
from contextvars import ContextVar
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils.functional import LazyObject, empty

HEADER = "X-Request-ID"
# An id that a proxy gave is kept where it can do no harm in a line.
GIVEN = re.compile(r"[\w.-]{8,128}", re.ASCII)
CURRENT: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class NamedRequests:
    """Middleware: each request has an id, that of a proxy or a new one, which its answer and lines of the log name."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get(HEADER, "")
        request.META[HEADER] = given if GIVEN.fullmatch(given) else uuid.uuid4().hex
        token = CURRENT.set(request)
        try:
            response = self.get_response(request)
        finally:
            CURRENT.reset(token)
        response.headers[HEADER] = request.META[HEADER]
        return response


def with_request(logger: Any, name: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """An event with the request that it came of; what it says itself stays."""
    request = CURRENT.get()
    if request is not None:
        event.setdefault("request", request.META[HEADER])
        event.setdefault("address", request.META.get("REMOTE_ADDR", ""))
        if user := user_of(request):
            event.setdefault("user", user)
    return event


def user_of(request: HttpRequest) -> str:
    """Who sent a request, as far as that is known by now: a line of the log asks the database nothing."""
    user: Any = getattr(request, "user", None)
    if isinstance(user, LazyObject) and user._wrapped is empty:
        return ""
    return user.get_username() if user is not None and user.is_authenticated else ""
