"""Keys for the API: made once, shown once, stored as a digest."""

import hashlib
import secrets
from datetime import datetime

from django.contrib.auth.models import User

from packs.models import Token

PREFIX = "pw_"
SHOWN_CHARACTERS = 9


def digest_of(key: str) -> str:
    """The SHA-256 of a key, in hexadecimal; keys are random, so no slow hash is needed."""
    return hashlib.sha256(key.encode()).hexdigest()


def issue(user: User, name: str, expires_at: datetime | None = None) -> tuple[Token, str]:
    """Make a key for a user. The second value is the key itself, which is not stored and cannot be shown again."""
    key = PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        user=user, name=name, prefix=key[:SHOWN_CHARACTERS], digest=digest_of(key), expires_at=expires_at
    )
    return token, key
