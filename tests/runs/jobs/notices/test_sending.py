"""Webhooks and mails: signed, tried again, given up."""

import hashlib
import hmac
import json
from datetime import timedelta

import pytest
from django.core import mail as mails
from django.utils import timezone

from packs.access import Role
from packs.notices import RUN_ENDED
from runs.jobs.notices.noting import note, send_again
from runs.jobs.notices.sending import KEPT, deliver, forget_old_notices, mail, send_due_notices
from runs.models import Delivery, Notification, NotificationChoice, StoredNotice
from tests.people import make_member
from tests.receiving import receiving
from tests.runs.noticed import notice, webhook

pytestmark = pytest.mark.django_db


@pytest.fixture
def viewer(team):
    return make_member(team, Role.VIEWER)


@pytest.fixture(autouse=True)
def outside(settings):
    settings.ENDPOINT_HOSTS = ["127.0.0.1"]
    settings.WEBHOOK_PAUSES = [1, 1]
    settings.CSRF_TRUSTED_ORIGINS = ["https://studio.example.org"]


def delivery_to(team, url):
    webhook(team, url)
    note(notice(team, [], facts={"run": 7}))
    return Delivery.objects.get()


def test_what_arrives_is_signed_and_says_what_happened(team):
    with receiving(204) as receiver:
        row = delivery_to(team, receiver.url)
        deliver(row.pk)
    ((headers, body),) = receiver.taken
    at, _, digest = headers["packwright-signature"].removeprefix("t=").partition(",v1=")
    assert digest == hmac.new(b"shared", f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    sent = json.loads(body)
    assert (sent["id"], sent["kind"], sent["team"], sent["facts"]) == (row.pk, RUN_ENDED, team.slug, {"run": 7})
    assert sent["url"] == f"https://studio.example.org/notifications/{row.notice_id}/"
    row.refresh_from_db()
    assert (row.status, row.next_at, row.error) == (204, None, "")
    assert row.delivered_at is not None


def test_a_webhook_that_fails_twice_gets_it_at_the_third_try(team):
    with receiving(500, 503, 200) as receiver:
        row = delivery_to(team, receiver.url)
        for tries, error in ((1, "The address answered 500."), (2, "The address answered 503."), (3, "")):
            deliver(row.pk)
            row.refresh_from_db()
            assert (row.tries, row.error) == (tries, error)
            assert (row.next_at is None) == (row.delivered_at is not None) == (tries == 3)
        deliver(row.pk)
    assert len(receiver.taken) == 3


def test_what_never_arrives_is_given_up_and_can_be_sent_again(team):
    with receiving(404) as receiver:
        row = delivery_to(team, receiver.url)
        for _ in range(5):
            deliver(row.pk)
        row.refresh_from_db()
        assert (len(receiver.taken), row.next_at, row.delivered_at) == (3, None, None)
        receiver.statuses = [200]
        send_again(row)
        deliver(row.pk)
    row.refresh_from_db()
    assert (row.tries, row.error) == (1, "")


def test_addresses_that_connections_may_not_call_get_nothing(team, settings):
    settings.ENDPOINT_HOSTS = ["public"]
    with receiving(200) as receiver:
        row = delivery_to(team, receiver.url)
        deliver(row.pk)
    row.refresh_from_db()
    assert receiver.taken == []
    assert "may not be called" in row.error


def test_the_sweeper_sends_the_jobs_of_what_is_due_once(team):
    row = delivery_to(team, "https://hooks.example.org/")
    past = timezone.now() - timedelta(seconds=1)
    Delivery.objects.update(next_at=past)
    send_due_notices()
    row.refresh_from_db()
    assert row.next_at > timezone.now()


def test_a_mail_leads_to_what_happened_and_is_sent_once(team, viewer, settings):
    settings.SMTP = "smtp://mail.example.org"
    NotificationChoice.objects.create(user=viewer, kind=RUN_ENDED, by_mail=True)
    viewer.email = "viewer@example.org"
    viewer.save()
    note(notice(team, [viewer]))
    row = Notification.objects.get()
    mail(row.pk)
    mail(row.pk)
    (sent,) = mails.outbox
    assert (sent.to, sent.subject) == (["viewer@example.org"], "nightly ended.")
    assert f"https://studio.example.org/notifications/{row.notice_id}/" in sent.body


def test_a_server_for_mail_that_is_away_is_asked_again(team, viewer, settings):
    settings.SMTP, settings.EMAIL_HOST, settings.EMAIL_PORT = "smtp://127.0.0.1", "127.0.0.1", 9
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    NotificationChoice.objects.create(user=viewer, kind=RUN_ENDED, by_mail=True)
    viewer.email = "viewer@example.org"
    viewer.save()
    note(notice(team, [viewer]))
    row = Notification.objects.get()
    for _ in range(2):
        mail(row.pk)
        row.refresh_from_db()
        assert row.mail_at is not None
    mail(row.pk)
    row.refresh_from_db()
    assert row.mail_at is None


def test_old_notices_are_dropped_with_what_was_sent_of_them(team):
    row = delivery_to(team, "https://hooks.example.org/")
    assert forget_old_notices() == 0
    StoredNotice.objects.update(created_at=timezone.now() - KEPT - timedelta(days=1))
    forget_old_notices()
    assert not Delivery.objects.filter(pk=row.pk).exists()
