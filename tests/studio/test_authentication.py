from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from packs.models import Token
from studio.authentication import TokenAuthentication
from studio.tokens import Wish, issue


def authenticate(header, address="127.0.0.1"):
    request = Request(APIRequestFactory().get("/", HTTP_AUTHORIZATION=header, REMOTE_ADDR=address))
    return TokenAuthentication().authenticate(request)


def test_a_key_signs_its_owner_in(author):
    token, key = issue(author, Wish("laptop"))
    user, _ = authenticate(f"Bearer {key}")
    token.refresh_from_db()
    assert user == author
    assert token.last_used_at is not None


def test_the_scheme_may_be_written_small_and_spaces_are_no_part_of_a_key(author):
    token, key = issue(author, Wish("laptop"))
    assert authenticate(f"bearer  {key} ") == (author, token)


def test_an_unknown_key_is_refused(db):
    with pytest.raises(exceptions.AuthenticationFailed):
        authenticate("Bearer pw_unknown")


def test_an_expired_key_is_refused(author):
    _, key = issue(author, Wish("old", days=-1))
    with pytest.raises(exceptions.AuthenticationFailed):
        authenticate(f"Bearer {key}")


def test_the_key_of_a_deactivated_user_is_refused(author):
    _, key = issue(author, Wish("laptop"))
    author.is_active = False
    author.save()
    with pytest.raises(exceptions.AuthenticationFailed):
        authenticate(f"Bearer {key}")


def test_the_last_use_of_a_key_is_told_to_the_minute(author):
    token, key = issue(author, Wish("laptop"))
    now = timezone.now()
    for ago, is_new in ((30, False), (90, True)):
        before = now - timedelta(seconds=ago)
        Token.objects.filter(pk=token.pk).update(last_used_at=before, last_used_from="127.0.0.1")
        authenticate(f"Bearer {key}")
        token.refresh_from_db()
        assert (token.last_used_at > before) == is_new


def test_a_key_that_is_used_from_elsewhere_says_so_at_once(author):
    """Whose key was stolen must not wait for a minute in which they use it themselves."""
    token, key = issue(author, Wish("laptop"))
    for address in ("192.0.2.1", "198.51.100.7"):
        authenticate(f"Bearer {key}", address)
        token.refresh_from_db()
        assert token.last_used_from == address


def test_whoever_brings_no_key_that_counts_is_told_how_to_bring_one(client, db):
    answer = client.get("/api/v1/packs/", headers={"Authorization": "Bearer pw_unknown"})
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")


def test_another_scheme_is_left_to_others(db):
    assert authenticate("Basic YTpi") is None
