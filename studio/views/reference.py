"""The description of the API: a file for programs, a page for people."""

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from packs.views.shared.signed_in import signed_in
from studio.negotiation import ByFormat

RENDERERS: dict[str, type[BaseRenderer]] = {each.format: each for each in (OpenApiYamlRenderer, OpenApiJsonRenderer)}


class Schema(APIView):
    """The OpenAPI document, for everybody: it says nothing of what is in the studio."""

    schema = None
    authentication_classes = ()
    permission_classes = (AllowAny,)
    content_negotiation_class = ByFormat
    renderer_classes = tuple(RENDERERS.values())

    def get(self, request: Request) -> HttpResponse:
        """As YAML, or as JSON where `Accept` or `?format=json` asks for it."""
        renderer: Any = request.accepted_renderer
        name = f"packwright-api.{renderer.format}"
        headers = {"Content-Disposition": f'inline; filename="{name}"', "Vary": "Accept"}
        return HttpResponse(written(renderer.format), content_type=renderer.media_type, headers=headers)


@cache
def described() -> dict[str, Any]:
    """The document. It takes seconds to make and is the same for everybody, so each process makes it once."""
    generator: Any = SchemaGenerator
    found: dict[str, Any] = generator().get_schema(request=None, public=True)
    return found


@cache
def written(format_name: str) -> bytes:
    instance: Any = RENDERERS[format_name]()
    text: bytes = instance.render(described(), renderer_context={})
    return text


@signed_in("GET")
def reference(request: HttpRequest) -> HttpResponse:
    """Every call of the API, to read and to try."""
    return render(request, "studio/reference.html")
