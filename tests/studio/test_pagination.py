from base64 import b64encode

import pytest
from django.contrib.auth.models import User
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from studio.pagination import CursorPages


def page(query):
    pages = CursorPages()
    rows = pages.paginate_queryset(User.objects.all(), Request(APIRequestFactory().get("/", query)))
    return rows, pages.get_next_link()


def test_pages_follow_each_other_without_gap(db):
    User.objects.bulk_create(User(username=f"user-{number}") for number in range(5))
    rows, link = page({"limit": 3})
    rest, end = page({"limit": 3, "cursor": link.split("cursor=")[1].split("&")[0].replace("%3D", "=")})
    assert len({user.pk for user in [*rows, *rest]}) == 5
    assert end is None


def test_a_page_is_never_larger_than_the_cap(db):
    User.objects.bulk_create(User(username=f"user-{number}") for number in range(201))
    assert len(page({"limit": 1000})[0]) == 200


@pytest.mark.parametrize("cursor", ["runnable", b64encode(b"p=no-number").decode()])
def test_a_cursor_that_no_page_gave_is_refused(as_author, cursor):
    answer = as_author.get("/api/v1/packs/", {"cursor": cursor})
    assert answer.status_code == 400
    assert answer.json()["findings"][0]["path"] == "cursor"
