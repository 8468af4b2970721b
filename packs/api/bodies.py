"""What the body of a request may say: the fields that are known, and no others."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers


class Body(serializers.Serializer[Any]):
    """A body in which a mistyped field is an error, instead of being passed over in silence."""

    def to_internal_value(self, data: Any) -> Any:
        """The values of the fields. Raises ValidationError, at each field that is not known as well."""
        if isinstance(data, Mapping) and (unknown := [str(name) for name in data if name not in self.fields]):
            message = f"There is no such field. Known: {', '.join(self.fields)}."
            raise serializers.ValidationError(dict.fromkeys(unknown, [message]), code="unknown_field")
        return super().to_internal_value(data)
