"""Lines of the log say which request they came of."""

import json
import logging

import pytest
from django.http import HttpResponse

from studio.logs.lines import formatter
from studio.logs.requests import NamedRequests

log = logging.getLogger("packs.test")


def answer(request):
    record = log.makeRecord(log.name, logging.WARNING, __file__, 1, "something-odd", (), None)
    return HttpResponse(formatter(as_json=True).format(record))


def line(rf, user=None, **headers):
    request = rf.get("/", headers=headers, REMOTE_ADDR="192.0.2.7")
    if user is not None:
        request.user = user
    response = NamedRequests(answer)(request)
    return json.loads(response.content), response.headers["X-Request-ID"]


@pytest.mark.django_db
def test_a_line_names_request_user_and_address(rf, author):
    told, number = line(rf, author)
    assert (told["request"], told["user"], told["address"]) == (number, author.username, "192.0.2.7")
    assert line(rf)[1] != number


def test_the_id_of_a_proxy_is_kept_unless_it_could_fake_a_line(rf):
    assert line(rf, **{"X-Request-ID": "edge-0123456789"})[1] == "edge-0123456789"
    assert line(rf, **{"X-Request-ID": "a\nb" * 9})[1] != "a\nb" * 9
    assert len(line(rf, **{"X-Request-ID": "x" * 500})[1]) == 32


def test_a_line_outside_of_a_request_names_none(rf):
    line(rf)
    record = log.makeRecord(log.name, logging.WARNING, __file__, 1, "something-odd", (), None)
    assert "request" not in json.loads(formatter(as_json=True).format(record))


@pytest.mark.django_db
def test_pages_answer_with_their_id(client):
    assert len(client.get("/healthz").headers["X-Request-ID"]) == 32
