from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from studio import sessions
from studio.models import SignIn
from tests.people import PASSWORD, client_of

ACCOUNT = "/account/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"
WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
CHROME = f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {WEBKIT} Chrome/131.0.0.0 Safari/537.36"


def sign_in(client, user, agent=FIREFOX, address="192.0.2.7"):
    sent = {"username": user.username, "password": PASSWORD}
    client.post(reverse("studio:sign-in"), sent, headers={"user-agent": agent}, REMOTE_ADDR=address)
    return client


def is_signed_in(client):
    return client.get(ACCOUNT).status_code == 200


def test_the_account_page_lists_sessions_and_marks_this_one(client, author):
    sign_in(client, author)
    elsewhere = sign_in(client_of(None), author, CHROME, "198.51.100.9")
    listed = elsewhere.get(ACCOUNT).context["sessions"]
    assert [(browser, row.address, is_this) for row, browser, is_this in listed] == [
        ("Chrome on Windows", "198.51.100.9", True),
        ("Firefox on Linux", "192.0.2.7", False),
    ]


def test_sessions_of_others_are_not_listed_and_cannot_be_ended(as_author, as_stranger, author):
    assert is_signed_in(as_author)
    row = SignIn.objects.get(user=author)
    assert [each.user for each, _, _ in as_stranger.get(ACCOUNT).context["sessions"]] != [author]
    assert as_stranger.post(reverse("studio:session-end", args=[row.pk])).status_code == 404
    assert is_signed_in(as_author)


def test_one_session_is_signed_out_from_another(as_author, author):
    other = sign_in(client_of(None), author)
    row = SignIn.objects.get(user=author, session_id=other.session.session_key)
    assert as_author.post(reverse("studio:session-end", args=[row.pk])).status_code == 302
    assert not is_signed_in(other)
    assert is_signed_in(as_author)


def test_ending_this_session_signs_out(as_author, author):
    assert is_signed_in(as_author)
    row = SignIn.objects.get(user=author)
    assert as_author.post(reverse("studio:session-end", args=[row.pk])).url == reverse("studio:sign-in")
    assert not is_signed_in(as_author)
    assert not SignIn.objects.exists()


def test_signing_out_everywhere_else_ends_all_other_sessions_of_the_user_only(as_author, as_stranger, author):
    others = [sign_in(client_of(None), author) for _ in range(2)]
    assert is_signed_in(as_stranger)
    as_author.post(reverse("studio:sessions-end-others"))
    assert [is_signed_in(client) for client in others] == [False, False]
    assert is_signed_in(as_author)
    assert is_signed_in(as_stranger)
    assert "Sign out everywhere else" not in as_author.get(ACCOUNT).text


def test_signing_out_takes_a_session_off_the_list(client, author):
    sign_in(client, author)
    client.post(reverse("studio:sign-out"))
    assert not SignIn.objects.exists()


def test_sessions_that_are_over_are_not_listed_and_are_cleared(as_author, author):
    other = sign_in(client_of(None), author)
    past = timezone.now() - timedelta(minutes=1)
    Session.objects.filter(pk=other.session.session_key).update(expire_date=past)
    as_author.get(ACCOUNT)
    assert [is_this for _, _, is_this in as_author.get(ACCOUNT).context["sessions"]] == [True]
    call_command("clearsessions")
    assert SignIn.objects.count() == 1


def test_a_password_changed_elsewhere_ends_sessions_and_empties_the_list(as_author, author):
    sign_in(client_of(None), author)
    author.set_password("a longer battery staple")
    author.save()
    assert not is_signed_in(as_author)
    assert sessions.sessions_of(author) == []


def test_this_session_stays_listed_after_a_change_of_the_password(as_author):
    new = "a longer battery staple"
    sent = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    as_author.post(reverse("studio:password"), sent)
    assert [is_this for _, _, is_this in as_author.get(ACCOUNT).context["sessions"]] == [True]


def test_a_session_is_noted_again_after_some_minutes_only(client, author, monkeypatch):
    sign_in(client, author)
    client.get(ACCOUNT, REMOTE_ADDR="203.0.113.5")
    assert SignIn.objects.get().address == "192.0.2.7"
    monkeypatch.setattr(sessions, "REFRESH_SECONDS", -1)
    client.get(ACCOUNT, REMOTE_ADDR="203.0.113.5")
    row = SignIn.objects.get()
    assert (row.address, row.at < row.seen_at) == ("203.0.113.5", True)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX, "Firefox on Linux"),
        (CHROME, "Chrome on Windows"),
        (CHROME + " Edg/131.0.0.0", "Edge on Windows"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
            "Version/18.1 Mobile/15E148 Safari/604.1",
            "Safari on iPhone",
        ),
        (
            f"Mozilla/5.0 (Linux; Android 14; Pixel 8) {WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        ("curl/8.5.0", "curl/8.5.0"),
        ("", "Unknown browser"),
    ],
)
def test_a_browser_is_named_in_a_few_words(agent, words):
    assert sessions.browser_of(agent) == words
