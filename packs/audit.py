"""The audit log. `record` is called where an act happens; the request tells who acts and from where."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_date

from packs.access import AnyUser, Permission, reach_of
from packs.formats.characters import storable
from packs.models import AuditEvent, Team

if TYPE_CHECKING:
    from django.http import HttpRequest

# What is recorded, by its stable code, as people read it. The part before the dot is the group that filters offer.
KINDS: Mapping[str, str] = {
    "sign_in.succeeded": "Signed in",
    "sign_in.failed": "Failed to sign in",
    "sign_in.ended": "Signed out",
    "sign_in.others_ended": "Signed out everywhere else",
    "identity.connected": "Connected to the directory",
    "identity.disconnected": "Disconnected from the directory",
    "factor.turned_on": "Second factor turned on",
    "factor.turned_off": "Second factor turned off",
    "factor.reset": "Second factor reset",
    "factor.failed": "Wrong code of a second factor",
    "factor.recovery_code_used": "Recovery code used",
    "factor.codes_renewed": "Recovery codes made anew",
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
    "webhook.created": "Webhook created",
    "webhook.changed": "Webhook changed",
    "webhook.deleted": "Webhook deleted",
    "link.created": "Public link made",
    "link.changed": "Public link taken back",
    "link.deleted": "Public link deleted",
    "gate.created": "Policy of a gate set",
    "gate.changed": "Policy of a gate changed",
    "gate.deleted": "Policy of a gate reset",
    "baseline.created": "Release named as a baseline",
    "baseline.deleted": "Release no longer a baseline",
    "schedule.created": "Schedule created",
    "schedule.changed": "Schedule changed",
    "schedule.deleted": "Schedule deleted",
    "agent.created": "Agent created",
    "agent.changed": "Agent changed",
    "agent.deleted": "Agent put into the bin",
    "agent.restored": "Agent brought back",
    "agent.purged": "Agent deleted for ever",
    "version.published": "Version published",
    "version.status": "Status of a version changed",
    "pack.status": "Status of a pack changed",
    "pack.deleted": "Pack put into the bin",
    "pack.restored": "Pack brought back",
    "pack.purged": "Pack deleted for ever",
    "run.deleted": "Run put into the bin",
    "run.restored": "Run brought back",
    "run.purged": "Run deleted for ever",
    "file.downloaded": "File downloaded",
    "backup.created": "Backup made",
    "backup.failed": "Backup failed",
    "backup.restored": "Backup restored",
    "probes.suggested": "Model asked for answers to try",
    "sweep.bytes": "Unused files removed",
    "sweep.recordings": "Old recordings removed",
}
log = logging.getLogger(__name__)
FILTERS = ("team", "kind", "person", "subject", "since", "until")
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
        subject=storable(str(subject))[:300],
        changes=dict(changes or {}),
    )


def record_if_possible(kind: str, subject: object = "", *, team: Team | None = None) -> None:
    """Write an event of something that is done, and does not fail because this cannot be written: the disk may be full,
    or the tables may be older than the log."""
    try:
        record(kind, subject, team=team)
    except DatabaseError:
        log.exception("audit.unwritten", extra={"kind": kind, "subject": str(subject)})


def may_read_log(user: AnyUser) -> bool:
    """Whether there is anything in the log for a user: curators of a team and superusers read it.

    Raises OutOfScope for a key that may do nothing of what curators may.
    """
    reach_of(user).demand(Permission.CURATE)
    is_root = user.is_active and getattr(user, "is_superuser", False)
    return is_root or Team.objects.allowed_to(user, Permission.CURATE).exists()


def narrowed(user: AnyUser, query: Mapping[str, str]) -> QuerySet[AuditEvent]:
    """What a user may read of the log, newest first. Filters: team, kind (a code or its group), person, subject, since,
    until; what is no day is passed over."""
    asked = {name: storable(query.get(name, "")).strip() for name in ("team", "kind", "person", "subject")}
    days = {name: _day(query.get(name, "")) for name in ("since", "until")}
    wanted: dict[str, Any] = {
        "team__slug": asked["team"],
        "kind__startswith": f"{asked['kind']}." if asked["kind"] in GROUPS else "",
        "kind": "" if asked["kind"] in GROUPS else asked["kind"],
        "actor_name__icontains": asked["person"],
        "subject__icontains": asked["subject"],
        "at__gte": days["since"],
        "at__lt": days["until"] and days["until"] + timedelta(days=1),
    }
    rows: QuerySet[AuditEvent] = AuditEvent.objects.readable_by(user).select_related("team")
    return rows.filter(**{name: value for name, value in wanted.items() if value}).order_by("-pk")


def _day(text: str) -> Any:
    """The beginning of a day in UTC; None for what is none."""
    try:
        found = parse_date(text)
    except ValueError:
        return None
    return found and datetime(found.year, found.month, found.day, tzinfo=UTC)


def forget_old_events() -> int:
    """Drop the events that are older than `AUDIT_DAYS`; gives how many."""
    oldest = timezone.now() - timedelta(days=settings.AUDIT_DAYS)
    return AuditEvent.objects.filter(at__lt=oldest).delete()[0]
