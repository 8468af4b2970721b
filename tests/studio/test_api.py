import pytest
from django.core.management import call_command
from django.http import Http404
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from packs.formats.findings import Rule
from studio.api import answer_exception


def answer(error):
    return answer_exception(error, {"request": Request(APIRequestFactory().get("/"))})


def codes_and_paths(error):
    return [(finding["code"], finding["path"]) for finding in answer(error).data["findings"]]


class CaseShape(serializers.Serializer):
    key = serializers.CharField()


class SetShape(serializers.Serializer):
    name = serializers.CharField()
    cases = CaseShape(many=True)


def test_a_wrong_body_gives_a_finding_per_field():
    shape = SetShape(data={"cases": [{"key": "a"}, {}]})
    assert not shape.is_valid()
    error = exceptions.ValidationError(shape.errors)
    assert sorted(codes_and_paths(error)) == [("api.required", "cases[1].key"), ("api.required", "name")]


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Http404(), 404, "api.not_found"),
        (exceptions.PermissionDenied(), 403, "api.permission_denied"),
        (exceptions.Throttled(), 429, "api.throttled"),
        (exceptions.ParseError(), 400, "api.parse_error"),
    ],
)
def test_every_refusal_has_the_same_shape(error, status, code):
    response = answer(error)
    assert response.status_code == status
    assert [finding["code"] for finding in response.data["findings"]] == [code]


def test_an_exception_may_bring_findings_of_its_own():
    error = exceptions.APIException()
    error.findings = [Rule("x.E001", "Wrong.").at(("a", 1))]
    assert codes_and_paths(error) == [("x.E001", "a[1]")]


def test_the_description_of_the_api_is_valid_and_every_choice_in_it_has_a_name(tmp_path):
    # A warning, such as two choices that would share a name, is an exception here.
    call_command("spectacular", "--validate", "--fail-on-warn", file=tmp_path / "schema.yaml")
    described = (tmp_path / "schema.yaml").read_text()
    assert "  NodeKindEnum:" in described
    assert "  TrialStatusEnum:" in described
