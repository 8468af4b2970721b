from base64 import b64encode

import pytest
from django.contrib.auth.models import User
from rest_framework.exceptions import ValidationError
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


@pytest.mark.parametrize("cursor", ["runnable", b64encode(b"p=no-number").decode()])
def test_a_cursor_that_no_page_gave_is_refused(as_author, cursor):
    answer = as_author.get("/api/v1/packs/", {"cursor": cursor})
    assert answer.status_code == 400
    assert answer.json()["findings"][0]["path"] == "cursor"


@pytest.mark.parametrize("limit", ["0", "-1", "201", "ten", "1.5", "\u0662", "9" * 5000])
def test_a_limit_that_no_page_can_have_is_refused(limit):
    with pytest.raises(ValidationError) as refused:
        page({"limit": limit})
    assert list(refused.value.detail) == ["limit"]
