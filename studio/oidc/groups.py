"""What the groups of a directory grant, as `PACKWRIGHT_OIDC_GROUPS` says it.

    packs-admins=checkout:administrator; everybody=checkout:viewer; operators=superuser

A group may stand in several entries. Its name may hold anything but a semicolon, so also commas and equals signs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error

from packs.access import Role

STAFF, SUPERUSER = "staff", "superuser"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
LONGEST_ISSUER = 200
Mapped = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Grants:
    """The role in each team, by its slug, and what somebody may in the administration."""

    roles: Mapping[str, Role] = field(default_factory=dict)
    is_staff: bool = False
    is_superuser: bool = False


def read_mapping(text: str) -> Mapped:
    """What each group grants: `team:role`, `staff` or `superuser`. Raises ValueError with a sentence for people."""
    found: dict[str, list[str]] = {}
    for entry in filter(None, (each.strip() for each in text.split(";"))):
        group, _, granted = (part.strip() for part in entry.rpartition("="))
        team, _, role = granted.partition(":")
        if not group or not (granted in (STAFF, SUPERUSER) or (team and role in Role.values)):
            raise ValueError(f"{entry!r} must be GROUP=TEAM:ROLE, GROUP={STAFF} or GROUP={SUPERUSER}.")
        found.setdefault(group, []).append(granted)
    return found


def granted(mapped: Mapped, groups: Iterable[str]) -> Grants:
    """What somebody in these groups is granted; of several roles in a team the one that `Role` names last."""
    words = [word for group in groups for word in mapped.get(group, ())]
    ranks = list(Role)
    roles: dict[str, Role] = {}
    for team, role in (word.split(":") for word in words if ":" in word):
        roles[team] = max(Role(role), roles.get(team, Role.VIEWER), key=ranks.index)
    is_superuser = SUPERUSER in words
    return Grants(roles, is_superuser or STAFF in words, is_superuser)


def claimed(claims: Mapping[str, Any], name: str) -> frozenset[str]:
    """The groups in a claim: a list of names or one name. Dots lead into objects, as in `realm_access.roles`."""
    value: Any = claims.get(name)
    if value is None:
        value = claims
        for part in name.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        return frozenset({value})
    return frozenset(each for each in value if isinstance(each, str)) if isinstance(value, list) else frozenset()


def check_oidc(app_configs: Sequence[Any] | None, **more: Any) -> list[CheckMessage]:
    """The settings of the directory must make sense, and leave a way in."""
    return [Error(text, hint="See docs/sign-in.md.", id="studio.E002") for text in _mistakes()]


def _mistakes() -> Iterable[str]:
    try:
        read_mapping(settings.OIDC_GROUPS)
    except ValueError as error:
        yield f"PACKWRIGHT_OIDC_GROUPS: {error}"
    if not settings.OIDC_ISSUER:
        if settings.OIDC_ONLY:
            yield "PACKWRIGHT_OIDC_ONLY is on and PACKWRIGHT_OIDC_ISSUER is not set: nobody could sign in."
        return
    address = urlsplit(settings.OIDC_ISSUER)
    is_safe = address.scheme == "https" or (address.scheme == "http" and address.hostname in LOOPBACK)
    if not is_safe or not address.hostname or len(settings.OIDC_ISSUER) > LONGEST_ISSUER:
        yield f"PACKWRIGHT_OIDC_ISSUER must be an https:// address of at most {LONGEST_ISSUER} characters."
    if not settings.OIDC_CLIENT_ID:
        yield "PACKWRIGHT_OIDC_CLIENT_ID must be set where PACKWRIGHT_OIDC_ISSUER is."
