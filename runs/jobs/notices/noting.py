"""From something that happened to the people and webhooks that get it."""

from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from packs.formats.characters import storable
from packs.messages import send_job
from packs.notices import Notice
from runs.models import Delivery, Notification, NotificationChoice, StoredNotice, Webhook

DELIVER = "runs.jobs.deliver"
SEND_MAIL = "runs.jobs.send_mail"
# How long a job that was sent may take before it counts as lost.
LEASE = timedelta(seconds=60)


@transaction.atomic
def note(notice: Notice) -> StoredNotice | None:
    """Keep a notice for everybody who wants it, and send it once the transaction is over. None where nobody does."""
    people = wanting(notice)
    hooks = [hook for hook in Webhook.objects.filter(team=notice.team, is_active=True) if notice.kind in hook.kinds]
    if not people and not hooks:
        return None
    row = StoredNotice.objects.create(
        team_id=notice.team,
        kind=notice.kind,
        title=storable(notice.title)[:300],
        place=notice.place,
        args=list(notice.args),
        facts=dict(notice.facts),
    )
    until = timezone.now() + LEASE
    for user, (in_studio, by_mail) in people.items():
        made = Notification.objects.create(
            notice=row, user_id=user, in_studio=in_studio, mail_at=until if by_mail else None
        )
        if by_mail:
            transaction.on_commit(partial(send_job, SEND_MAIL, made.pk))
    for hook in hooks:
        send_to(hook, row, until)
    return row


def wanting(notice: Notice) -> dict[int, tuple[bool, bool]]:
    """The members of the team who want a notice: in the studio, and by mail where they have an address.

    What happened to an account its owner always gets, both ways.
    """
    named = User.objects.filter(is_active=True, pk__in=notice.people - {notice.by})
    if notice.team is not None:
        named = named.filter(memberships__team=notice.team)
    choices = NotificationChoice.objects.filter(user__in=notice.people, kind=notice.kind)
    chosen = {row.user_id: (row.in_studio, row.by_mail) for row in choices}
    found = {}
    for user in named.order_by("pk"):
        in_studio, by_mail = chosen.get(user.pk, (True, notice.team is None))
        by_mail = by_mail and bool(user.email) and bool(settings.SMTP)
        if in_studio or by_mail:
            found[user.pk] = (in_studio, by_mail)
    return found


def send_to(hook: Webhook, row: StoredNotice, until: datetime) -> Delivery:
    """Begin the delivery of a notice to a webhook, once the transaction is over."""
    delivery = Delivery.objects.create(webhook=hook, notice=row, next_at=until)
    transaction.on_commit(partial(send_job, DELIVER, delivery.pk))
    return delivery


def send_again(delivery: Delivery) -> None:
    """Try a delivery anew, with all its tries. Receivers know it by its id."""
    Delivery.objects.filter(pk=delivery.pk).update(next_at=timezone.now() + LEASE, tries=0, delivered_at=None)
    transaction.on_commit(partial(send_job, DELIVER, delivery.pk))
