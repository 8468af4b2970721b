"""Signing in and out."""

from typing import Any

from django.contrib.auth.models import User

from packs.audit import record


def signed_in(user: User, **sent: Any) -> None:
    record("sign_in.succeeded", user, by=user)


def signed_out(user: User | None, **sent: Any) -> None:
    if user is not None:
        record("sign_in.ended", user, by=user)


def failed(username: str) -> None:
    """Somebody gave a wrong password. A name that no account has is not kept: it may be a password."""
    found = User.objects.filter(username=username).first()
    record("sign_in.failed", found or "An unknown name")


def refused(name: str, why: str) -> None:
    """Somebody came from the directory and was not let in."""
    record("sign_in.failed", name or "From the directory", changes={"why": [None, why]})
