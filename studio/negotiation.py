"""How an answer of the API is written."""

from collections.abc import Iterable
from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.settings import DEFAULTS, APISettings


class OneRenderer(DefaultContentNegotiation):
    """Each address answers in one way, whatever `Accept` says: JSON, or the file that was asked for.

    A client that accepts only `application/zip` gets its archive, or a refusal as JSON.
    """

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, str(renderer.media_type)


class ByFormat(DefaultContentNegotiation):
    """By `Accept`, and by `?format=`, which elsewhere is the format of a pack."""

    settings: Any = APISettings({"URL_FORMAT_OVERRIDE": "format"}, DEFAULTS)
