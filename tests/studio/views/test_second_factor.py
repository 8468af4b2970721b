"""Signing in with a second factor, and its pages."""

import re

import pytest
from django.urls import reverse

from packs.models import AuditEvent
from studio.guessing import PER_NAME_AND_ADDRESS
from studio.models import SecondFactor, SignIn
from studio.second_factor.keeping import has_factor
from tests.factors import code_of, give_factor, wrong_code
from tests.people import PASSWORD, client_of

PAGE = "/account/second-factor/"
CODE = "/sign-in/code/"


def password(client, user, onward="/packs/"):
    return client.post("/sign-in/", {"username": user.username, "password": PASSWORD, "next": onward})


def is_in(client):
    return "_auth_user_id" in client.session


def test_the_password_alone_opens_nothing(as_nobody, author):
    give_factor(author)
    assert password(as_nobody, author).headers["Location"] == CODE
    assert not is_in(as_nobody)
    assert as_nobody.get("/packs/").headers["Location"].startswith("/sign-in/")
    assert as_nobody.get("/api/v1/packs/").status_code in {401, 403}
    assert not AuditEvent.objects.filter(kind="sign_in.succeeded").exists()


def test_a_code_signs_in_with_a_session_of_a_new_name_and_leads_on(as_nobody, author):
    secret, codes = give_factor(author)
    password(as_nobody, author)
    before = as_nobody.session.session_key
    assert as_nobody.post(CODE, {"code": wrong_code(secret)}).status_code == 422
    assert not is_in(as_nobody)
    answer = as_nobody.post(CODE, {"code": code_of(secret)})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/packs/")
    assert is_in(as_nobody)
    assert as_nobody.session.session_key != before
    assert as_nobody.get("/api/v1/packs/").status_code == 200

    other = client_of(None)
    password(other, author)
    assert other.post(CODE, {"code": code_of(secret)}).status_code == 422
    assert other.post(CODE, {"code": codes[0]}).status_code == 302


def test_no_code_is_asked_of_who_gave_no_password(as_nobody, author):
    secret, _ = give_factor(author)
    for method in (as_nobody.get, as_nobody.post):
        assert method(CODE, {"code": code_of(secret)}).headers["Location"] == "/sign-in/"
    assert not is_in(as_nobody)


def test_nobody_is_led_to_another_site(as_nobody, author):
    _, codes = give_factor(author)
    password(as_nobody, author, "https://example.org/")
    assert as_nobody.post(CODE, {"code": codes[0]}).headers["Location"] == "/"


def test_giving_the_password_again_allows_no_more_guesses(as_nobody, author):
    secret, codes = give_factor(author)
    for _ in range(PER_NAME_AND_ADDRESS):
        password(as_nobody, author)
        as_nobody.post(CODE, {"code": wrong_code(secret)}, REMOTE_ADDR="192.0.2.7")
    password(as_nobody, author)
    assert "Too many" in as_nobody.post(CODE, {"code": codes[0]}).text
    assert not is_in(as_nobody)


def secret_on(page):
    return re.search(r'id="secret">([A-Z2-7 ]+)<', page)[1].replace(" ", "")


def test_it_is_set_up_with_a_code_and_the_password(as_author, author):
    elsewhere = client_of(author)
    elsewhere.get("/account/")
    page = as_author.get(PAGE).text
    secret = secret_on(page)
    assert "<svg" in page
    assert secret not in str(dict(as_author.session))
    for given in ({"code": code_of(secret)}, {"code": wrong_code(secret), "password": PASSWORD}):
        refused = as_author.post(PAGE, given)
        assert (refused.status_code, secret_on(refused.text)) == (422, secret)
    assert not has_factor(author)
    before = as_author.session.session_key
    code = code_of(secret)
    made = as_author.post(PAGE, {"code": code, "password": PASSWORD})
    codes = re.findall(r"<code>([a-z2-7-]{19})</code>", made.text)
    assert len(codes) == 10
    assert all(code in made.text.partition("data:text/plain")[2] for code in codes)
    assert as_author.session.session_key != before
    assert as_author.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302
    # The code that set it up is used.
    client = client_of(None)
    password(client, author)
    assert client.post(CODE, {"code": code}).status_code == 422
    assert not any(code in as_author.get(PAGE).text for code in codes)


def test_another_secret_than_the_one_shown_is_not_taken(as_author, author):
    as_author.get(PAGE)
    assert as_author.post(PAGE, {"code": "123456", "password": PASSWORD, "secret": "A" * 32}).status_code == 422
    assert not has_factor(author)


@pytest.mark.parametrize("act", ["end", "codes"])
def test_new_codes_and_turning_off_take_password_and_code(as_author, author, act):
    secret, codes = give_factor(author)
    address = reverse(f"studio:second-factor-{act}")
    wrong = [
        {"password": PASSWORD},
        {"code": codes[0]},
        {"password": "wrong", "code": codes[0]},
        {"password": PASSWORD, "code": wrong_code(secret)},
    ]
    assert [as_author.post(address, given).status_code for given in wrong] == [422] * 4
    assert SecondFactor.objects.get().recovery_codes.count() == 10
    done = as_author.post(address, {"password": PASSWORD, "code": codes[0]})
    assert done.status_code == (302 if act == "end" else 200)
    assert has_factor(author) is (act == "codes")
    assert codes[1] not in done.text


def test_who_has_none_has_nothing_to_turn_off(as_author):
    for act in ("end", "codes"):
        assert as_author.post(reverse(f"studio:second-factor-{act}"), {"password": PASSWORD}).url == PAGE


def test_who_has_no_password_needs_none(as_author, author):
    author.set_unusable_password()
    author.save()
    client = client_of(author)
    assert "Your account has no password." in client.get(PAGE).text
    assert client.post(PAGE, {"code": "123456"}).status_code == 302
    assert not has_factor(author)
    assert SignIn.objects.filter(user=author).exists()
