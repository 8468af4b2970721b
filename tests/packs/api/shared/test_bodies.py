import pytest
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from packs.api.shared.bodies import Body


class Note(Body):
    text = serializers.CharField()


class Notes(Body):
    notes = Note(many=True)


def test_a_mistyped_field_is_an_error_at_its_place():
    given = Notes(data={"notes": [{"text": "a"}, {"text": "b", "txet": "c"}]})
    assert not given.is_valid()
    (problem,) = given.errors["notes"][1]["txet"]
    assert problem.code == "unknown_field"


def test_known_fields_are_taken():
    given = Note(data={"text": "a"})
    given.is_valid(raise_exception=True)
    assert given.validated_data == {"text": "a"}


def test_what_is_no_object_is_refused():
    with pytest.raises(ValidationError):
        Note(data=["a"]).is_valid(raise_exception=True)
