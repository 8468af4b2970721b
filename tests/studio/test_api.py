import pytest
from django.core.management import call_command
from django.http import Http404
from django.test import RequestFactory
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from packs.formats.findings import Rule
from studio.api import answer_exception, answer_mistake


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


def test_an_address_that_there_is_not_is_told_as_a_finding(client):
    answered = client.post("/api/v2/packs/", {}, content_type="application/json")
    assert answered.status_code == 404
    assert [finding["code"] for finding in answered.json()["findings"]] == ["api.not_found"]


def test_a_reader_who_left_out_the_last_slash_is_led_on(client):
    assert client.get("/api/v1/packs?team=blue").headers["Location"] == "/api/v1/packs/?team=blue"


def test_a_writer_who_left_out_the_last_slash_is_told_the_address(client):
    answered = client.post("/api/v1/packs", {}, content_type="application/json")
    assert answered.status_code == 404
    assert "/api/v1/packs/" in answered.json()["findings"][0]["hint"]


@pytest.mark.parametrize(("path", "kind"), [("/api/v1/packs/", "application/json"), ("/packs/", "text/html")])
def test_our_own_mistake_is_told_in_the_language_of_whoever_asked(path, kind):
    answered = answer_mistake(RequestFactory().get(path))
    assert answered.status_code == 500
    assert answered.headers["Content-Type"].startswith(kind)


def test_who_brings_no_key_is_told_where_keys_are_made(client, db):
    (finding,) = client.get("/api/v1/packs/").json()["findings"]
    assert (finding["code"], bool(finding["hint"])) == ("api.not_authenticated", True)


@pytest.mark.parametrize("path", ["packs/", "runs/", "agents/", "secrets/", "gate-runs/"])
def test_a_body_that_is_nested_without_end_is_no_mistake_of_ours(as_author, path):
    answered = as_author.post(f"/api/v1/{path}", "[" * 9_000, content_type="application/json")
    assert answered.status_code == 400
    assert [finding["code"] for finding in answered.json()["findings"]] == ["api.parse_error"]


def test_a_body_of_another_kind_is_told_what_to_send(as_author):
    answered = as_author.post("/api/v1/runs/", "x", content_type="text/plain")
    assert answered.status_code == 415
    assert answered.json()["findings"][0]["hint"]


def test_the_description_of_the_api_is_valid_and_every_choice_in_it_has_a_name(tmp_path):
    # A warning, such as two choices that would share a name, is an exception here.
    call_command("spectacular", "--validate", "--fail-on-warn", file=tmp_path / "schema.yaml")
    described = (tmp_path / "schema.yaml").read_text()
    assert "  NodeKindEnum:" in described
    assert "  TrialStatusEnum:" in described
