"""What an answer reads off an object, by the same fields that describe it."""

from functools import cache
from typing import Any

from rest_framework import serializers


class Shape(serializers.Serializer[Any]):
    """What an answer says of an object: a member is its attribute of that name, or of the name in `source`."""

    @classmethod
    def show(cls, found: Any) -> dict[str, Any]:
        """The members of the answer."""
        return dict(_made(cls).to_representation(found))


@cache
def _made(shape: type[Shape]) -> Shape:
    return shape()


class AccountField(serializers.CharField):
    """The name of an account, empty where it was deleted."""

    def get_attribute(self, instance: Any) -> str:
        """The name that the account of an object has."""
        account: Any = super().get_attribute(instance)
        return account.get_username() if account else ""
