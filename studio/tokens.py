"""Keys for the API: made once, shown once, stored as a digest."""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from packs.access import Scope
from packs.models import Pack, Team, Token

PREFIX = "pw_"
SHOWN_CHARACTERS = 9
DEFAULT_DAYS = 90
# What a key may do unless its maker says otherwise; an administrator can read no secret back, but break much.
DEFAULT_SCOPES = (Scope.READ, Scope.EDIT, Scope.RUN, Scope.REVIEW)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a new key shall be: `days` until it ends (None: never), no `teams` for all teams of its user."""

    name: str
    days: int | None = DEFAULT_DAYS
    scopes: Iterable[Scope] = DEFAULT_SCOPES
    teams: Iterable[Team] = ()
    pack: Pack | None = None


def digest_of(key: str) -> str:
    """The SHA-256 of a key, in hexadecimal; keys are random, so no slow hash is needed."""
    return hashlib.sha256(key.encode()).hexdigest()


@transaction.atomic
def issue(user: User, wish: Wish) -> tuple[Token, str]:
    """Make a key for a user. The second value is the key itself, which is not stored and cannot be shown again."""
    key = PREFIX + secrets.token_urlsafe(32)
    teams = list(wish.teams)
    token = Token.objects.create(
        user=user,
        name=wish.name,
        prefix=key[:SHOWN_CHARACTERS],
        digest=digest_of(key),
        expires_at=None if wish.days is None else timezone.now() + timedelta(days=wish.days),
        scopes=[scope for scope in Scope.values if scope in {*wish.scopes, Scope.READ}],
        is_for_all_teams=not teams and wish.pack is None,
        pack=wish.pack,
    )
    token.teams.set(teams)
    return token, key
