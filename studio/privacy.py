"""What browsers and proxies may keep of an answer."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase


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
