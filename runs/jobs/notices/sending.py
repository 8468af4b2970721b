"""Mails and webhooks that are due: one try at a time, with pauses that grow, until they arrive or are given up.

A webhook gets JSON by `POST`, signed as its headers say: `Packwright-Signature: t=SECONDS,v1=HEX` where HEX is the
HMAC-SHA256 of `SECONDS.BODY` with the secret of the webhook. It may come twice, with the same `id`.
"""

import hashlib
import hmac
from datetime import timedelta
from smtplib import SMTPException
from typing import Any

import orjson
from django.conf import settings
from django.core.mail import send_mail
from django.db.models import F
from django.utils import timezone

from packs.messages import send_job
from runs.agents.endpoints.contract import EndpointFailed
from runs.agents.endpoints.watch import Watch
from runs.jobs.notices.noting import DELIVER, LEASE, SEND_MAIL
from runs.models import Delivery, Notification, StoredNotice
from runs.models.opening import open_web
from runs.models.sealing import Unsealable, unseal

KEPT = timedelta(days=90)
SECONDS = 10.0
MAX_ERROR = 500
MAIL = """{title}

{link}

{why}
"""
CHOSEN = "You get this mail because you chose so: {choices}"
ABOUT_ACCOUNT = "You get this mail because it concerns your account. If this was not you, tell your administrator."


def deliver(delivery_id: int) -> None:
    """Try a delivery once. Of jobs that try the same one at once, one goes on."""
    rows = Delivery.objects.filter(pk=delivery_id, next_at__isnull=False, webhook__is_active=True)
    row = rows.select_related("webhook__team", "notice").first()
    now = timezone.now()
    if row is None or not rows.filter(tries=row.tries).update(tries=F("tries") + 1, next_at=now + LEASE, tried_at=now):
        return
    status, error = post(row)
    row.tries += 1
    has_arrived = not error
    Delivery.objects.filter(pk=row.pk, tries=row.tries).update(
        status=status,
        error=error[:MAX_ERROR],
        delivered_at=timezone.now() if has_arrived else None,
        next_at=None if has_arrived else next_try(row.tries),
    )


def next_try(tries: int) -> Any:
    """When to try again after so many tries; None when it is given up."""
    pauses = settings.WEBHOOK_PAUSES
    return timezone.now() + timedelta(seconds=pauses[tries - 1]) if tries <= len(pauses) else None


def post(row: Delivery) -> tuple[int | None, str]:
    """The status that a webhook answered, None without one, and what was wrong with it."""
    body = orjson.dumps(message(row))
    try:
        secret = unseal(row.webhook.sealed_secret)
        headers = {"content-type": "application/json", **signed(secret, body, int(timezone.now().timestamp()))}
        with open_web().send("POST", row.webhook.url, Watch.of(SECONDS), headers, body) as answer:
            answer.body()
            status = answer.status
    except Unsealable:
        return None, "The secret cannot be read any more: set up the webhook anew."
    except EndpointFailed as failed:
        return None, str(failed)
    return status, "" if 200 <= status < 300 else f"The address answered {status}."


def message(row: Delivery) -> dict[str, Any]:
    """What a webhook gets."""
    notice = row.notice
    return {
        "id": row.pk,
        "kind": notice.kind,
        "team": row.webhook.team.slug,
        "title": notice.title,
        "url": link_of(notice),
        "at": notice.created_at.isoformat(),
        "facts": notice.facts,
    }


def signed(secret: str, body: bytes, at: int) -> dict[str, str]:
    """The header that lets a receiver check who sent a body, and when (seconds since 1970)."""
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return {"packwright-signature": f"t={at},v1={digest}"}


def link_of(notice: StoredNotice) -> str:
    """The address that leads on to the page of a notice."""
    return f"{origin()}/notifications/{notice.pk}/"


def origin() -> str:
    """How the studio is reached from outside: the first of `PACKWRIGHT_ORIGINS`, else nothing."""
    return settings.CSRF_TRUSTED_ORIGINS[0].rstrip("/") if settings.CSRF_TRUSTED_ORIGINS else ""


def mail(notification_id: int) -> None:
    """Try to send a notice by mail once."""
    rows = Notification.objects.filter(pk=notification_id, mail_at__isnull=False, user__is_active=True)
    row = rows.select_related("user", "notice").first()
    if row is None or not rows.filter(mail_tries=row.mail_tries).update(
        mail_tries=F("mail_tries") + 1, mail_at=timezone.now() + LEASE
    ):
        return
    why = CHOSEN.format(choices=f"{origin()}/notifications/") if row.notice.team_id else ABOUT_ACCOUNT
    text = MAIL.format(title=row.notice.title, link=link_of(row.notice), why=why)
    try:
        send_mail(row.notice.title, text, None, [row.user.email])
        coming = None
    except (SMTPException, OSError):
        coming = next_try(row.mail_tries + 1)
    Notification.objects.filter(pk=row.pk).update(mail_at=coming)


def send_due_notices() -> None:
    """Send the jobs of mails and webhooks whose next try is due."""
    now = timezone.now()
    due = Delivery.objects.filter(next_at__lte=now, webhook__is_active=True)
    for pk in list(due.values_list("pk", flat=True)[:100]):
        if Delivery.objects.filter(pk=pk, next_at__lte=now).update(next_at=now + LEASE):
            send_job(DELIVER, pk)
    mails = Notification.objects.filter(mail_at__lte=now)
    for pk in list(mails.values_list("pk", flat=True)[:100]):
        if mails.filter(pk=pk).update(mail_at=now + LEASE):
            send_job(SEND_MAIL, pk)


def forget_old_notices() -> int:
    """Drop notices that are older than 90 days, with all that was sent of them; gives how many rows."""
    return StoredNotice.objects.filter(created_at__lt=timezone.now() - KEPT).delete()[0]
