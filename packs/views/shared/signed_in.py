"""Who reaches most views, and how."""

from collections.abc import Callable
from typing import TypeVar

from django.contrib.auth.decorators import login_required
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_http_methods

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def signed_in(*methods: str) -> Callable[[View], View]:
    """A view that answers these methods, for people with an account; others are led to where they sign in."""

    def guarded(view: View) -> View:
        return login_required(require_http_methods(methods)(view))

    return guarded
