"""The pages of connections."""

import logging
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from packs.access import Role
from runs.models import Connection
from studio.logs import Lines
from tests.openai_server import Answer, trouble
from tests.people import client_of
from tests.runs.connections import KEY, make_connection
from tests.runs.views.agents.test_connection_form import GIVEN

pytestmark = pytest.mark.django_db


@pytest.fixture
def connection(team, model_server, local_endpoints):
    return make_connection(team, model_server)


def at(name, *args):
    return reverse(f"runs:{name}", args=args)


def test_an_administrator_makes_a_connection_and_never_sees_its_key_again(as_administrator):
    answer = as_administrator.post(at("connection-new"), GIVEN)
    row = Connection.objects.get()
    assert answer.url == at("connection", row.pk)
    for page in (answer.url, at("connections")):
        assert KEY not in as_administrator.get(page).content.decode()


@pytest.mark.parametrize(("key", "is_warned"), [("EMPTY", True), (KEY, False), ("", False)])
def test_a_key_that_trials_do_not_hide_is_said_to_be_so(as_administrator, key, is_warned):
    answer = as_administrator.post(at("connection-new"), {**GIVEN, "key": key})
    for _ in ("once as a message", "and from then on beside the field"):
        page = as_administrator.get(answer.url).content.decode()
        assert ("it is not hidden in what trials record" in page) is is_warned


def test_a_refused_form_keeps_what_was_typed_except_the_key(as_administrator, connection):
    answer = as_administrator.post(at("connection", connection.pk), {**GIVEN, "name": "", "base_url": "nowhere"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert 'value="nowhere"' in text
    assert KEY not in text
    connection.refresh_from_db()
    assert connection.name == "models"


def test_a_test_shows_the_answer_with_its_tokens_and_cost(as_administrator, connection, model_server):
    model_server.reply("I am <small>.")
    answer = as_administrator.post(
        at("connection-test", connection.pk), {"model": "small", "message": "Who?"}, headers={"HX-Request": "true"}
    )
    test = answer.context["test"]
    assert (test.reply.text, test.reply.usage.total_tokens, test.trouble) == ("I am <small>.", 10, "")
    text = answer.content.decode()
    assert "I am &lt;small&gt;." in text
    assert "$0.000037" in text
    assert "<html" not in text
    assert model_server.requests[0]["messages"] == [{"role": "user", "content": "Who?"}]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (trouble(401, f"no such key {KEY}"), "401"),
        (Answer(raw=b"<html>"), "web page"),
        (trouble(404, "no model"), "no model"),
    ],
)
def test_a_test_that_fails_says_why_and_what_to_do(as_administrator, connection, model_server, answer, said):
    model_server.answer = lambda request: answer
    page = as_administrator.post(at("connection-test", connection.pk), {"model": "small"})
    test = page.context["test"]
    assert said in test.trouble
    assert test.advice
    text = page.content.decode()
    assert "<html" in text
    assert KEY not in text


def test_a_key_that_cannot_be_opened_is_told_as_such(as_administrator, connection, settings):
    settings.ENCRYPTION_KEYS = ["another one"]
    page = as_administrator.post(at("connection-test", connection.pk), {"model": "small"})
    assert page.context["test"].advice


def test_a_connection_is_taken_out_of_use_and_back(as_administrator, connection):
    for active in (False, True):
        as_administrator.post(at("connection-state", connection.pk), {"active": str(active).lower()})
        connection.refresh_from_db()
        assert connection.is_active is active


@pytest.mark.parametrize("role", [Role.VIEWER, Role.AUTHOR, Role.REVIEWER, Role.CURATOR])
def test_members_read_and_only_administrators_change(members, connection, role):
    client = client_of(members[role])
    assert client.get(at("connections")).status_code == 200
    page = client.get(at("connection", connection.pk))
    assert page.status_code == 200
    assert 'name="key"' not in page.content.decode()
    for name in ("connection", "connection-state", "connection-test"):
        assert client.post(at(name, connection.pk), GIVEN).status_code == 403
    assert client.get(at("connection-new")).status_code == 403


def test_strangers_find_nothing(as_stranger, connection):
    assert connection.base_url not in as_stranger.get(at("connections")).content.decode()
    assert as_stranger.get(at("connection", connection.pk)).status_code == 404
    assert as_stranger.post(at("connection", connection.pk), GIVEN).status_code == 404
    assert as_stranger.post(at("connection-test", connection.pk), {"model": "small"}).status_code == 404
    assert as_stranger.get(f"{at('connection-new')}?team=default").status_code == 404


def test_a_key_that_was_sent_when_the_studio_broke_is_on_no_error_page_and_in_no_log(administrator, connection, caplog):
    Connection.objects.update(model_list=[{"broken": 1}])
    client = client_of(administrator)
    client.raise_request_exception = False
    answer = client.post(at("connection", connection.pk), GIVEN)
    assert answer.status_code == 500
    [site] = [each for each in logging.getLogger().handlers if isinstance(each.formatter, Lines)]
    logged = "".join(site.format(record) for record in caplog.records)
    assert "KeyError" in logged
    assert KEY not in logged
    assert KEY not in answer.content.decode()


def test_a_connection_says_how_long_it_rests_and_a_test_asks_at_once(as_administrator, connection, model_server):
    model_server.reply("Awake.")
    Connection.objects.update(rests_until=timezone.now() + timedelta(minutes=5))
    assert "Resting" in as_administrator.get(at("connection", connection.pk)).content.decode()
    answer = as_administrator.post(at("connection-test", connection.pk), {"model": "small"})
    assert "Awake." in answer.content.decode()
