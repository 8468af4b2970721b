"""One view, one address: the page for a browser, its changed part for htmx."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails


def is_by_script(request: HttpRequest) -> bool:
    """Whether htmx or a fetch of our scripts asks."""
    return bool(HtmxDetails(request)) or request.headers.get("X-Requested-With") == "fetch"


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of the page. Going back in the history gets the page."""
    asked = HtmxDetails(request)
    return bool(asked) and not asked.history_restore_request


def render_page(request: HttpRequest, page: str, part: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    """Render the template `part` for htmx and `page`, which includes it, for everybody else."""
    response = render(request, part if wants_part(request) else page, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response
