"""Guesses at passwords: who is slowed down, at every place at which somebody signs in."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from runs.jobs.notices.noting import note
from studio.guessing import PER_ADDRESS, PER_NAME, PER_NAME_AND_ADDRESS, WINDOW, LimitedBackend
from studio.models import SignInAttempt
from tests.people import PASSWORD, client_of
from tests.runs.noticed import notice


def guess(name, password="wrong", address="192.0.2.1"):
    """The status of one attempt to sign in."""
    answer = client_of(None).post(
        reverse("studio:sign-in"), {"username": name, "password": password}, REMOTE_ADDR=address
    )
    return answer.status_code


def guess_often(name, times, address="192.0.2.1"):
    return [guess(name, address=address) for _ in range(times)]


def test_a_name_waits_after_failed_attempts_from_one_address_and_others_do_not(author, stranger):
    assert set(guess_often(author.username, PER_NAME_AND_ADDRESS)) == {422}
    assert guess(author.username, PASSWORD) == 429
    assert guess(stranger.username, PASSWORD) == 302
    assert guess(author.username, PASSWORD, "192.0.2.2") == 302


@pytest.mark.parametrize(
    "disguise", [str.upper, lambda name: "\uff41" + name[1:], lambda name: "\U0001d5ba" + name[1:]]
)
def test_look_alike_letters_are_counted_as_the_account_that_they_mean(author, disguise):
    assert author.username.startswith("a")
    guess_often(disguise(author.username), PER_NAME_AND_ADDRESS)
    assert guess(author.username, PASSWORD) == 429


def test_an_address_waits_after_failed_attempts_for_many_names(author):
    for number in range(PER_ADDRESS):
        assert guess(f"nobody-{number}") == 422
    assert guess(author.username, PASSWORD) == 429
    assert guess(author.username, PASSWORD, "192.0.2.2") == 302


def test_a_client_with_a_network_of_ipv6_is_one_address(author):
    for number in range(PER_ADDRESS):
        assert guess(f"nobody-{number}", address=f"2001:db8:1:2::{number + 1:x}") == 422
    assert guess(author.username, PASSWORD, "2001:db8:1:2:ffff::1") == 429
    assert guess(author.username, PASSWORD, "2001:db8:1:3::1") == 302


def test_the_old_password_is_guessed_no_quicker_by_somebody_who_has_a_session(as_author, author):
    def change(old):
        new = "a-longer-one-4711"
        data = {"old_password": old, "new_password1": new, "new_password2": new}
        return as_author.post(reverse("studio:password"), data)

    for number in range(PER_NAME_AND_ADDRESS):
        assert change(f"guess-{number}").status_code == 422
    answer = change(PASSWORD)
    assert answer.status_code == 422
    assert "Try again in 5 minutes." in answer.content.decode()
    SignInAttempt.objects.all().delete()
    assert change(PASSWORD).status_code == 302


def test_a_name_waits_after_failed_attempts_from_many_addresses(author):
    name_of = SignInAttempt.objects
    guess(author.username)
    counted = name_of.get().name
    name_of.bulk_create(SignInAttempt(name=counted, address=f"198.51.100.{n}") for n in range(PER_NAME - 1))
    assert guess(author.username, PASSWORD, "192.0.2.2") == 429


def test_the_right_password_does_not_let_somebody_elsewhere_guess_on(author):
    elsewhere = "192.0.2.2"
    guess_often(author.username, PER_NAME_AND_ADDRESS, elsewhere)
    assert guess(author.username, PASSWORD) == 302
    assert guess(author.username, address=elsewhere) == 429


def test_the_right_password_ends_the_count_of_that_name_alone(author):
    guess_often(author.username, PER_NAME_AND_ADDRESS - 1)
    guess("nobody")
    assert guess(author.username, PASSWORD) == 302
    assert SignInAttempt.objects.count() == 1


def test_the_wait_ends_and_leaves_nothing_behind(author):
    guess_often(author.username, PER_NAME_AND_ADDRESS)
    SignInAttempt.objects.update(at=timezone.now() - WINDOW - timedelta(seconds=1))
    assert guess(author.username, PASSWORD) == 302
    assert not SignInAttempt.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_parallel_guesses_count_each_other(author, caplog):
    def try_once(number):
        try:
            return guess(author.username, f"guess-{number}")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(try_once, range(24)))
    judged = [record for record in caplog.records if record.msg == "sign_in.failed"]
    assert 1 <= len(judged) <= PER_NAME_AND_ADDRESS


def test_failures_are_logged_with_name_and_address(author, caplog):
    guess_often(author.username, PER_NAME_AND_ADDRESS + 1)
    events = [*["sign_in.failed"] * PER_NAME_AND_ADDRESS, "sign_in.blocked"]
    ours = [record for record in caplog.records if record.name == "studio.guessing"]
    found = [(record.msg, record.account, record.address) for record in ours]
    assert found == [(event, author.username, "192.0.2.1") for event in events]


def test_administration_has_no_sign_in_of_its_own(as_nobody, as_author):
    door, home = reverse("admin:login"), reverse("admin:index")
    assert as_nobody.get(home, follow=True).request["PATH_INFO"] == reverse("studio:sign-in")
    answer = as_nobody.post(door, {"username": "root", "password": "wrong"})
    assert answer.url == f"{reverse('studio:sign-in')}?next={home}"
    assert not SignInAttempt.objects.exists()
    assert as_author.get(door).status_code == 403


@pytest.mark.parametrize("password", ["short-1", "password123", "author-default", "8201746352901"])
def test_weak_passwords_are_refused(as_author, password):
    form = {"old_password": PASSWORD, "new_password1": password, "new_password2": password}
    answer = as_author.post(reverse("studio:password"), form)
    assert answer.status_code == 422
    assert answer.context["password_form"].errors["new_password2"]


def test_the_user_of_a_session_knows_what_is_unread_without_another_query(team, author, django_assert_num_queries):
    note(notice(team, [author]))
    with django_assert_num_queries(1):
        assert LimitedBackend().get_user(author.pk).unread == 1
