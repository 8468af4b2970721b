"""Rows whose changes are recorded, whatever changes them: a page, the API, the administration or a command."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db.models import Model
from django.db.models.signals import post_delete, post_save, pre_save

from packs.audit import record
from packs.models import Invitation, Membership, ServiceAccount, Team, Token
from packs.quotas import QUOTAS
from runs.models import Agent, Connection, GateSchedule, GateSettings, Release, Secret, SharedPage, Webhook
from runs.models.sealing import sealed_columns

# Values that are recorded as having changed and not shown. The address of a webhook is often a secret by itself, and
# settings of an agent may hold headers and commands with secrets.
HIDDEN = frozenset({"password", "url", "config", *(field.name for _, field in sealed_columns())})


@dataclass(frozen=True, slots=True)
class Watched:
    """A kind of row: its word in codes, the columns whose change matters, its team and what it is called."""

    word: str
    columns: tuple[str, ...]
    team: Callable[[Any], Team | None] = lambda row: row.team
    name: Callable[[Any], object] = str


def team_of_key(token: Token) -> Team | None:
    """The team of a service account's key; those of people concern nobody else."""
    account = ServiceAccount.objects.filter(user=token.user_id).select_related("team").first()
    return account.team if account else None


def team_of_pack(row: GateSchedule | GateSettings | Release) -> Team:
    team: Team = row.pack.team
    return team


WATCHED: Mapping[type[Model], Watched] = {
    User: Watched(
        "account", ("username", "email", "password", "is_active", "is_staff", "is_superuser"), team=lambda row: None
    ),
    Team: Watched(
        "team",
        (
            *("name", "needs_approval", "needs_proof", "needs_second_factor", "recording_days"),
            *(quota.column for quota in QUOTAS.values()),
        ),
        team=lambda row: row,
    ),
    Membership: Watched("member", ("role", "is_from_directory"), name=lambda row: row.user),
    Invitation: Watched("invitation", ("role", "email", "max_uses", "uses", "expires_at")),
    Token: Watched("key", ("name", "prefix", "scopes", "expires_at"), team=team_of_key),
    Connection: Watched(
        "connection",
        ("name", "provider", "base_url", "sealed_key", "model_list", "max_concurrent", "is_active"),
    ),
    Secret: Watched("secret", ("name", "sealed_value"), name=lambda row: row.name),
    Webhook: Watched(
        "webhook", ("url", "kinds", "sealed_secret", "is_active"), name=lambda row: urlsplit(row.url).hostname
    ),
    SharedPage: Watched("link", ("expires_at", "ended_at")),
    GateSettings: Watched("gate", ("section",), team=team_of_pack),
    GateSchedule: Watched(
        "schedule",
        (
            "gate",
            "agent_id",
            "input_set",
            "hour",
            "minute",
            "weekdays",
            "month_day",
            "every_hours",
            "zone",
            "branch",
            "is_on",
            "owner_id",
        ),
        team=team_of_pack,
    ),
    Agent: Watched("agent", ("name", "kind", "config", "concurrency", "is_active")),
    Release: Watched("baseline", ("name",), team=team_of_pack, name=lambda row: f"{row.name} of {row.pack}"),
}


def shown(column: str, value: Any) -> Any:
    """A value as the log keeps it."""
    if column in HIDDEN:
        return "set" if value else "none"
    return value.isoformat() if isinstance(value, datetime) else value


def shown_of(row: Any) -> dict[str, Any]:
    """The values of a row that came or goes; flags that are off say nothing."""
    values = ((name, getattr(row, name)) for name in WATCHED[type(row)].columns)
    return {name: shown(name, value) for name, value in values if value is not False}


def before_save(sender: type[Model], instance: Any, update_fields: Any = None, raw: bool = False, **sent: Any) -> None:
    """Keep what the row was, where a column is written that matters."""
    columns = [name for name in WATCHED[sender].columns if update_fields is None or name in update_fields]
    instance.audited = None
    if instance.pk is not None and columns and not raw:
        instance.audited = sender._default_manager.filter(pk=instance.pk).values(*columns).first()


def after_save(sender: type[Model], instance: Any, created: bool, raw: bool = False, **sent: Any) -> None:
    watched, before = WATCHED[sender], instance.audited
    if raw:
        return
    if created:
        changes = {name: [None, value] for name, value in shown_of(instance).items()}
        record(f"{watched.word}.created", watched.name(instance), team=watched.team(instance), changes=changes)
    elif before is not None:
        pairs = ((name, old, getattr(instance, name)) for name, old in before.items())
        changes = {name: [shown(name, old), shown(name, new)] for name, old, new in pairs if old != new}
        if changes:
            record(f"{watched.word}.changed", watched.name(instance), team=watched.team(instance), changes=changes)


def after_delete(sender: type[Model], instance: Any, origin: Any = None, **sent: Any) -> None:
    if getattr(instance, "deleted_at", None) is not None:
        # That it went into the bin was recorded, and so is that it leaves it for ever.
        return
    watched = WATCHED[sender]
    changes = {name: [value, None] for name, value in shown_of(instance).items()}
    # What is deleted together with its team belongs to none any more.
    goes_with_team = isinstance(origin, Team) or getattr(origin, "model", None) is Team
    team = None if goes_with_team else watched.team(instance)
    record(f"{watched.word}.deleted", watched.name(instance), team=team, changes=changes)


def watch() -> None:
    """Record changes of these rows from now on."""
    for model in WATCHED:
        post_delete.connect(after_delete, sender=model)
        pre_save.connect(before_save, sender=model)
        post_save.connect(after_save, sender=model)
