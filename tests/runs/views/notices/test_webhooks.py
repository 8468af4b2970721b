"""The webhooks of a team."""

import pytest

from packs.models import AuditEvent
from packs.notices import RUN_ENDED
from runs.jobs.notices.noting import note
from runs.models import Delivery, Webhook
from runs.models.sealing import unseal
from tests.runs.noticed import notice, webhook

pytestmark = pytest.mark.django_db


def test_the_secret_is_shown_once_and_stored_sealed(as_administrator, team):
    address = f"/team/{team.slug}/webhooks/"
    made = as_administrator.post(address, {"url": "https://hooks.example.org/x", "kinds": [RUN_ENDED]})
    row = Webhook.objects.get()
    secret = unseal(row.sealed_secret)
    assert secret in made.text
    assert secret not in row.sealed_secret
    assert secret not in as_administrator.get(address).text
    logged = AuditEvent.objects.get(kind="webhook.created")
    assert (logged.team, logged.subject, logged.changes["sealed_secret"]) == (team, "hooks.example.org", [None, "set"])
    assert "example.org/x" not in str(logged.changes)


@pytest.mark.parametrize("url", ["http://hooks.example.org/", "https://127.0.0.1/", "ftp://x", "https://a b/", "x"])
def test_addresses_that_may_not_be_called_are_refused(as_administrator, team, url):
    answer = as_administrator.post(f"/team/{team.slug}/webhooks/", {"url": url, "kinds": [RUN_ENDED]})
    assert answer.status_code == 422
    assert not Webhook.objects.exists()


def test_the_log_shows_what_came_of_each_and_sends_again(as_administrator, team):
    row = webhook(team)
    note(notice(team, []))
    Delivery.objects.update(next_at=None, tries=6, error="The address answered 500.")
    address = f"/team/{team.slug}/webhooks/{row.pk}/"
    page = as_administrator.get(address).text
    assert "Given up" in page
    assert "The address answered 500." in page
    as_administrator.post(f"{address}{Delivery.objects.get().pk}/send/")
    sent = Delivery.objects.get()
    assert (sent.tries, sent.next_at is not None) == (0, True)


def test_a_webhook_is_paused_resumed_and_deleted(as_administrator, team):
    row = webhook(team)
    address = f"/team/{team.slug}/webhooks/{row.pk}/"
    for what, is_active in (("pause", False), ("resume", True)):
        as_administrator.post(f"{address}{what}/")
        row.refresh_from_db()
        assert row.is_active is is_active
    assert as_administrator.post(f"{address}other/").status_code == 404
    as_administrator.post(f"{address}delete/")
    assert not Webhook.objects.exists()
