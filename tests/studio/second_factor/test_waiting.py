"""Between password and code: for whom a code is awaited, and for how long."""

from types import SimpleNamespace

import pytest

from studio.second_factor import waiting as module
from studio.second_factor.keeping import reset
from studio.second_factor.waiting import SECONDS, await_code, end_waiting, waiting
from studio.sessions import SessionStore
from tests.factors import give_factor


@pytest.fixture
def request_of(author):
    give_factor(author)
    request = SimpleNamespace(session=SessionStore())
    request.session.save()
    await_code(request, author, "/packs/")
    return request


def test_who_gave_the_password_is_kept_in_a_session_of_a_new_name(author, rf):
    give_factor(author)
    session = SessionStore()
    session.save()
    before = session.session_key
    await_code(SimpleNamespace(session=session), author, "/packs/")
    assert session.session_key != before


def test_a_code_is_awaited_of_who_gave_the_password(request_of, author):
    assert (waiting(request_of).user, waiting(request_of).onward) == (author, "/packs/")
    end_waiting(request_of)
    assert waiting(request_of) is None


def test_it_ends_after_some_minutes(request_of, monkeypatch):
    later = module.time() + SECONDS + 1
    monkeypatch.setattr(module, "time", lambda: later)
    assert waiting(request_of) is None


def test_it_ends_with_the_password_the_account_and_the_factor(request_of, author):
    author.set_password("a-longer-one-4711")
    author.save()
    assert waiting(request_of) is None
    await_code(request_of, author, "/")
    assert waiting(request_of)
    author.is_active = False
    author.save()
    assert waiting(request_of) is None
    author.is_active = True
    author.save()
    reset(author)
    assert waiting(request_of) is None
