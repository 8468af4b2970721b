"""Between the password and the code: who is signing in, kept in a session that is nobody's yet."""

from dataclasses import dataclass
from time import time

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

from studio.second_factor.keeping import has_factor

KEY = "waits_for_code"
SECONDS = 600


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody who gave the right password, and where they want to go."""

    user: User
    onward: str


def await_code(request: HttpRequest, user: User, onward: str) -> None:
    """Keep who gave the password. The session gets another key, so that nobody who gave it to them shares it."""
    request.session.cycle_key()
    request.session[KEY] = {
        "user": user.pk,
        "password": user.get_session_auth_hash(),
        "at": int(time()),
        "onward": onward,
    }


def waiting(request: HttpRequest) -> Waiting | None:
    """Who gave the password a short while ago, if it is the same and a code is asked for to this day."""
    kept = request.session.get(KEY)
    if not kept or time() - kept["at"] > SECONDS:
        return None
    user = User.objects.filter(pk=kept["user"], is_active=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), kept["password"]):
        return None
    return Waiting(user, kept["onward"]) if has_factor(user) else None


def end_waiting(request: HttpRequest) -> None:
    request.session.pop(KEY, None)
