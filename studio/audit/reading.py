"""Reading the audit log: filters, and the log as a file."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils.dateparse import parse_date

from packs.access import AnyUser, Permission
from packs.audit import GROUPS
from packs.formats.characters import storable
from packs.grid.tables import table_lines
from packs.models import AuditEvent, Team

COLUMNS = ("id", "at", "kind", "team", "person", "key", "address", "subject", "changes")
CHUNK = 500


def may_read_log(user: AnyUser) -> bool:
    """Whether there is anything in the log for a user: curators of a team and superusers read it."""
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


def as_jsonl(rows: Iterable[AuditEvent]) -> Iterator[bytes]:
    """One JSON object a line."""
    for row in rows:
        yield json.dumps(row.as_dict(), ensure_ascii=False).encode() + b"\n"


def as_csv(rows: Iterable[AuditEvent]) -> Iterator[bytes]:
    """A table for spreadsheets, none of whose cells they run."""
    said = (row.as_dict() for row in rows)
    return table_lines(COLUMNS, ([_cell(each[name]) for name in COLUMNS] for each in said))


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False) if value else ""
    return "" if value is None else str(value)
