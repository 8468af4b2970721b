"""How the description of the API speaks of lists that come page by page."""

from functools import cache
from typing import Any

from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers

PAGING = [
    OpenApiParameter("cursor", description="Where the page begins: taken from `next` or `previous` of another page."),
    OpenApiParameter("limit", int, description="Rows of a page: 50 unless said, 200 at the most."),
]


@cache
def page_of(shape: type[serializers.BaseSerializer[Any]]) -> serializers.Serializer[Any]:
    """The shape of one page of rows of this shape."""
    name = shape.__name__.removesuffix("Shape").removesuffix("Serializer") + "Page"
    address = "Address of the {} page, null where there is none."
    fields = {
        "next": serializers.URLField(allow_null=True, help_text=address.format("next")),
        "previous": serializers.URLField(allow_null=True, help_text=address.format("previous")),
        "results": shape(many=True),
    }
    return inline_serializer(name, fields)
