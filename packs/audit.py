"""Writing the audit log. `record` is called where an act happens; the request tells who acts and from where."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from packs.models import AuditEvent, Team

if TYPE_CHECKING:
    from django.http import HttpRequest

# What is recorded, by its stable code, as people read it. The part before the dot is the group that filters offer.
KINDS: Mapping[str, str] = {
    "sign_in.succeeded": "Signed in",
    "sign_in.failed": "Failed to sign in",
    "sign_in.ended": "Signed out",
    "sign_in.others_ended": "Signed out everywhere else",
    "account.created": "Account created",
    "account.changed": "Account changed",
    "account.deleted": "Account deleted",
    "team.created": "Team created",
    "team.changed": "Team changed",
    "team.deleted": "Team deleted",
    "member.created": "Member added",
    "member.changed": "Role changed",
    "member.deleted": "Member removed",
    "invitation.created": "Invitation made",
    "invitation.changed": "Invitation used",
    "invitation.deleted": "Invitation taken back",
    "key.created": "Key made",
    "key.changed": "Key changed",
    "key.deleted": "Key taken back",
    "connection.created": "Connection created",
    "connection.changed": "Connection changed",
    "connection.deleted": "Connection deleted",
    "secret.created": "Secret stored",
    "secret.changed": "Secret replaced",
    "secret.deleted": "Secret forgotten",
    "link.created": "Public link made",
    "link.changed": "Public link taken back",
    "link.deleted": "Public link deleted",
    "gate.created": "Policy of a gate set",
    "gate.changed": "Policy of a gate changed",
    "gate.deleted": "Policy of a gate reset",
    "baseline.created": "Release named as a baseline",
    "baseline.deleted": "Release no longer a baseline",
    "version.published": "Version published",
    "version.status": "Status of a version changed",
    "pack.status": "Status of a pack changed",
    "file.downloaded": "File downloaded",
}
GROUPS = tuple(dict.fromkeys(code.partition(".")[0] for code in KINDS))


@dataclass(slots=True)
class Origin:
    """The request that is answered: where acts come from, and the key and the team that it turned out to be about."""

    request: "HttpRequest"
    key_prefix: str = ""
    team: Team | None = None


_origin: ContextVar[Origin | None] = ContextVar("origin", default=None)


@contextmanager
def coming_from(request: "HttpRequest") -> Iterator[Origin]:
    """While it is open, what is recorded comes from this request."""
    made = Origin(request)
    token = _origin.set(made)
    try:
        yield made
    finally:
        _origin.reset(token)


def about(team: Team) -> None:
    """Note the team that the request is about."""
    if came := _origin.get():
        came.team = team


def by_key(prefix: str) -> None:
    """Note the key that the request brought."""
    if came := _origin.get():
        came.key_prefix = prefix


def record(
    kind: str,
    subject: object = "",
    *,
    team: Team | None = None,
    by: Any = None,
    changes: Mapping[str, Any] | None = None,
) -> None:
    """Write an event. `by` is who acts, where that is not the user of the request; `changes` must hold no secrets."""
    if kind not in KINDS:
        raise KeyError(kind)
    came = _origin.get()
    actor = by or getattr(came and came.request, "user", None)
    known = actor if isinstance(actor, User) else None
    AuditEvent.objects.create(
        kind=kind,
        team=team,
        actor=known,
        actor_name=str(known or "")[:150],
        address=str(came.request.META.get("REMOTE_ADDR", ""))[:64] if came else "",
        key_prefix=came.key_prefix if came else "",
        subject=str(subject)[:300],
        changes=dict(changes or {}),
    )


def forget_old_events() -> int:
    """Drop the events that are older than `AUDIT_DAYS`; gives how many."""
    oldest = timezone.now() - timedelta(days=settings.AUDIT_DAYS)
    return AuditEvent.objects.filter(at__lt=oldest).delete()[0]
