"""What the body of a request may say: the fields that are known, and no others."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from packs.api.shared.endpoint import unknown


class Body(serializers.Serializer[Any]):
    """A body in which a mistyped field is an error, instead of being passed over in silence."""

    def to_internal_value(self, data: Any) -> Any:
        """The values of the fields. Raises ValidationError, at each field that is not known as well."""
        if isinstance(data, Mapping) and (others := [str(name) for name in data if name not in self.fields]):
            known = list(self.fields)
            raise serializers.ValidationError({name: unknown("field", name, known).detail for name in others})
        return super().to_internal_value(data)


class TeamField(serializers.CharField):
    """The slug of a team; `packs.api.shared.lookup.find_team` knows what is meant where it is left out."""

    def __init__(self, **more: Any) -> None:
        help_text = "Slug; optional if you belong to only one team."
        super().__init__(required=False, default="", allow_blank=True, help_text=help_text, **more)


def read_body(shape: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The fields of a request; one without a body has those with defaults. Raises ValidationError."""
    given = shape(data={} if request.data is None else request.data)
    given.is_valid(raise_exception=True)
    return dict(given.validated_data)
