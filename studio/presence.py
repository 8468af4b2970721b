"""Pages of drafts that ask again and again whether anything is new: mostly it is not, and the answer costs no query."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from packs.editing.presence import is_quiet


class QuietPolls:
    """Middleware: 204 for what may still hear "nothing new", before the session and its user are read.

    The parameter `quiet` is what the view gave its page; it holds for seconds, and then the view decides again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method == "GET" and request.path_info.endswith("/presence/"):
            token = request.GET.get("quiet", "")
            if token and is_quiet(token):
                return HttpResponse(status=204)
        return self.get_response(request)
