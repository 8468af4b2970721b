"""The administrator's first password, which lies in no log: a log is kept for long, and read by many."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User

NAME = "first-password"


def place() -> Path:
    """The file with the password, until the first sign-in or change of the password."""
    return Path(settings.VAR_DIR) / NAME


def handed_over(name: str, password: str, *, on_terminal: bool) -> str:
    """Words that lead to a new password: itself for somebody at a terminal, else the file that only its user may read.

    They say of a password that the settings gave only whose it is.
    """
    if password == settings.ADMIN_PASSWORD:
        return f"Sign in as {name} with the password from PACKWRIGHT_ADMIN_PASSWORD, then remove it there."
    if on_terminal:
        return f"\n  Sign in as: {name}\n  Password:   {password}\n  (shown only this once)\n"
    path = place()
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(f"{password}\n")
    return f"Sign in as {name}. The password is in {path}, until the first sign-in or change of the password."


def forget(instance: User, created: bool, **sent: Any) -> None:
    """Remove the file once a superuser has signed in or got another password; called when a user was saved.

    Signing in saves its time.
    """
    if instance.is_superuser and not created:
        place().unlink(missing_ok=True)
