"""Invitations: links with which people join a team. The secret part is shown once and stored as a digest."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from packs.access import Role
from packs.models import Invitation, Membership, Team
from studio.tokens import digest_of

# Open invitations of a team: as many as one can keep an eye on.
MOST_OPEN = 50
# How many people one link lets in at most, and for how many days it works.
MOST_PEOPLE, MOST_DAYS = 25, 30
MAIL = """{maker} invites you to the team {team} in Packwright, as {role}.

{link}

The link works until {ends} (UTC).
"""


class TooManyInvitations(Exception):
    """The team has as many open invitations as it may; the text says what to do."""


class InvitationEnded(Exception):
    """The link is unknown, too old, used up or taken back."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a new invitation shall be: the role, for how many days and people it holds, and where it is mailed to."""

    role: Role
    days: int
    max_uses: int = 1
    email: str = ""


def invite(team: Team, maker: User, offer: Offer) -> tuple[Invitation, str]:
    """Make an invitation. The second value is the secret part of its link, which cannot be shown again.

    Raises TooManyInvitations.
    """
    if open_invitations(team).count() >= MOST_OPEN:
        raise TooManyInvitations(f"{MOST_OPEN} invitations are open. Revoke one first.")
    secret = secrets.token_urlsafe(32)
    row = Invitation.objects.create(
        team=team,
        role=offer.role,
        digest=digest_of(secret),
        email=offer.email,
        max_uses=offer.max_uses,
        made_by=maker,
        expires_at=timezone.now() + timedelta(days=offer.days),
    )
    return row, secret


def open_invitations(team: Team) -> QuerySet[Invitation]:
    """Those of a team that still work, the newest first."""
    rows: QuerySet[Invitation] = Invitation.objects.live().filter(team=team).select_related("made_by")
    return rows


def link_of(request: HttpRequest, secret: str) -> str:
    """The address with which people join."""
    return request.build_absolute_uri(reverse("studio:join", args=[secret]))


def find(secret: str) -> Invitation | None:
    """The invitation of a link, if it still works."""
    row: Invitation | None = Invitation.objects.live().select_related("team").filter(digest=digest_of(secret)).first()
    return row


@transaction.atomic
def join(invitation: Invitation, user: User) -> Membership:
    """Make a user a member. A member keeps the role there is, and the invitation is not used up by that.

    Raises InvitationEnded where it stopped working meanwhile.
    """
    # Who follows the link at the same moment waits until this one is counted.
    row: Invitation | None = Invitation.objects.select_for_update().filter(pk=invitation.pk).first()
    found: Membership | None = Membership.objects.filter(team=invitation.team, user=user).first()
    if found is not None:
        return found
    if row is None or not Invitation.objects.live().filter(pk=row.pk).exists():
        raise InvitationEnded
    row.uses += 1
    row.save(update_fields=["uses"])
    return Membership.objects.create(team=invitation.team, user=user, role=invitation.role)


def can_mail() -> bool:
    """Whether the site has a server that takes its mail."""
    return bool(settings.SMTP)


def mail(invitation: Invitation, link: str) -> bool:
    """Send the link to the address of its invitation. False where the server for mail did not take it."""
    filled = {
        "maker": invitation.made_by,
        "team": invitation.team,
        "role": invitation.get_role_display(),
        "ends": f"{invitation.expires_at:%d %b %Y, %H:%M}",
    }
    try:
        send_mail(f"Join {invitation.team} in Packwright", MAIL.format(link=link, **filled), None, [invitation.email])
    except (SMTPException, OSError):
        return False
    return True
