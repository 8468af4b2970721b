"""Connections over the API."""

import pytest

from runs.models import Connection
from tests.openai_server import trouble
from tests.runs.connections import KEY, make_connection
from tests.runs.test_api import codes, send

pytestmark = pytest.mark.django_db
MODELS = [{"name": "small", "input_per_million": 0.15, "output_per_million": 0.6}, {"name": "large"}]
WANTED = {"name": "models", "base_url": "https://api.example.org/v1", "key": KEY, "models": MODELS, "max_retries": 0}


def test_a_connection_is_made_and_changed_and_its_key_is_never_given_back(as_administrator, team):
    made = send(as_administrator, "post", "connections/", WANTED)
    assert made.status_code == 201, made.json()
    shown = made.json()
    assert (shown["has_key"], shown["models"], shown["max_retries"]) == (True, MODELS, 0)
    sealed = Connection.objects.get().sealed_key
    changed = send(as_administrator, "patch", f"connections/{shown['id']}/", {"models": [], "requests_per_minute": 60})
    assert (changed.json()["models"], changed.json()["requests_per_minute"]) == ([], 60)
    changed = send(as_administrator, "patch", f"connections/{shown['id']}/", {"requests_per_minute": None})
    assert changed.json()["requests_per_minute"] is None
    assert Connection.objects.get().sealed_key == sealed
    assert not send(as_administrator, "patch", f"connections/{shown['id']}/", {"key": ""}).json()["has_key"]
    listed = send(as_administrator, "get", "connections/")
    for answer in (made, changed, listed):
        assert KEY not in answer.content.decode()
        assert sealed not in answer.content.decode()


@pytest.mark.parametrize(("key", "warnings"), [("none", 1), (KEY, 0), ("", 0)])
def test_a_key_that_trials_do_not_hide_is_said_to_be_so(as_administrator, team, key, warnings):
    made = send(as_administrator, "post", "connections/", {**WANTED, "key": key}).json()
    assert ["not hidden" in warning for warning in made["warnings"]] == [True] * warnings


@pytest.mark.parametrize(
    ("change", "status", "expected"),
    [
        ({"base_url": "https://10.0.0.1/v1"}, 422, {("base_url", "api.not_allowed")}),
        ({"name": "taken"}, 422, {("name", "connection.E001")}),
        ({"max_concurrent": 0}, 422, {("max_concurrent", "api.min_value")}),
        ({"base_url": "https://elsewhere.example.org"}, 422, {("key", "api.key_needed")}),
        ({"models": [{"name": "small", "input_per_million": 1}]}, 400, None),
        ({"models": [{"name": "two words"}]}, 400, None),
    ],
)
def test_what_cannot_be_a_connection_is_refused_at_its_member(
    as_administrator, team, model_server, change, status, expected
):
    make_connection(team, model_server, "taken")
    made = send(as_administrator, "post", "connections/", WANTED).json()
    answer = send(as_administrator, "patch", f"connections/{made['id']}/", change)
    assert answer.status_code == status
    if expected:
        assert {(finding["path"], finding["code"]) for finding in answer.json()["findings"]} == expected
    assert send(as_administrator, "get", f"connections/{made['id']}/").json()["name"] == "models"


def test_a_connection_of_a_host_that_is_no_longer_allowed_can_be_switched_off(as_administrator, team, model_server):
    row = make_connection(team, model_server)
    answer = send(as_administrator, "patch", f"connections/{row.pk}/", {"is_active": False})
    assert (answer.status_code, answer.json()["is_active"]) == (200, False)
    assert codes(send(as_administrator, "patch", f"connections/{row.pk}/", {"max_retries": 1})) == ["api.not_allowed"]


def test_a_test_gives_the_answer_or_the_trouble(as_administrator, team, model_server, local_endpoints):
    row = make_connection(team, model_server, max_retries=0)
    answer = send(as_administrator, "post", f"connections/{row.pk}/test/", {"model": "small"}).json()
    assert (answer["answer"], answer["output_tokens"], answer["trouble"]) == ("Hello.", 3, "")
    assert answer["cost_usd"] == pytest.approx(37e-6)
    model_server.answer = lambda request: trouble(401, f"no such key {KEY}")
    answer = send(as_administrator, "post", f"connections/{row.pk}/test/", {"model": "small"}).json()
    assert answer["answer"] is None
    assert "401" in answer["trouble"]
    assert KEY not in str(answer)
