"""What scripts of a page get when its session has ended."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url

from packs.views.shared.fragments import is_by_script


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
