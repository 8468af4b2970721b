from types import SimpleNamespace

from django.contrib.auth.models import User
from rest_framework import serializers

from packs.api.shared.answers import AccountField, Shape


class ParcelShape(Shape):
    name = serializers.CharField(source="title")
    size = serializers.IntegerField(source="of.size")
    by = AccountField()


def test_an_answer_is_read_off_its_object():
    found = SimpleNamespace(title="Hull", of=SimpleNamespace(size=3), by=User(username="alice"))
    assert ParcelShape.show(found) == {"name": "Hull", "size": 3, "by": "alice"}
    assert ParcelShape.show(SimpleNamespace(title="Hub", of=SimpleNamespace(size=0), by=None))["by"] == ""
