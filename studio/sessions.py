"""The sessions of a user: where they are signed in, for them to see and to end."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from packs.audit import record
from studio.guessing import address_of
from studio.models import SignIn

KEY = re.compile("[a-z0-9]{8,40}")
REFRESH_SECONDS = 300
# More than these are ended together, not one by one.
MAX_LISTED = 50
# By the word that gives them away; those that call themselves by the names of others as well come first.
BROWSERS: Mapping[str, str] = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "HeadlessChrome": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEMS: Mapping[str, str] = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}

# When this process noted a session last, in seconds of the monotonic clock, so that only few requests write.
_noted: dict[str, float] = {}


class SessionStore(db.SessionStore):
    """Sessions in the database, which is not asked about keys that Django never makes: a cookie may hold U+0000."""

    def _validate_session_key(self, key: str) -> bool:
        return bool(key and KEY.fullmatch(key))


class SeenSessions:
    """Middleware: keeps when and from where each session was used last."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        session = request.session
        # Who asks with a key has no session, and pages that look at no session need not read one for this.
        if session.accessed and session.session_key and session.get(SESSION_KEY) == str(request.user.pk):
            note(request, session.session_key)
        return response


def begin(request: HttpRequest, **sent: Any) -> None:
    """Keep a session from its first moment on; called when somebody signs in (`user_logged_in`)."""
    if request.session.session_key:
        note(request, request.session.session_key)


def note(request: HttpRequest, key: str) -> None:
    """Keep when and from where a session was used, at most every few minutes.

    A page is not refused because this cannot be written: the disk may be full, or the session just ended elsewhere.
    """
    now = monotonic()
    if now - _noted.get(key, float("-inf")) <= REFRESH_SECONDS:
        return
    for old in [each for each, at in list(_noted.items()) if now - at > REFRESH_SECONDS]:
        _noted.pop(old, None)
    _noted[key] = now
    facts = {
        "user_id": request.session[SESSION_KEY],
        "address": address_of(request),
        "agent": request.headers.get("User-Agent", "")[:300],
        "seen_at": timezone.now(),
    }
    with suppress(DatabaseError):
        SignIn.objects.update_or_create(session_id=key, defaults=facts)


def sessions_of(user: User) -> list[SignIn]:
    """Where a user is signed in, the session used last first; those that a changed password ended are left out."""
    rows = SignIn.objects.filter(user=user, session__expire_date__gt=timezone.now()).select_related("session")
    valid = user.get_session_auth_hash()
    return [
        row
        for row in rows.order_by("-seen_at", "-pk")[:MAX_LISTED]
        if constant_time_compare(row.session.get_decoded().get(HASH_SESSION_KEY, ""), valid)
    ]


def end_others(user: User, key: str | None) -> None:
    """End all sessions of a user but the one with this key."""
    Session.objects.filter(sign_in__user=user).exclude(pk=key).delete()
    record("sign_in.others_ended", user)


def browser_of(agent: str) -> str:
    """A browser in a few words, such as "Firefox on Linux"; what is no browser by its own first word."""
    browser = next((name for word, name in BROWSERS.items() if re.search(rf"\b{word}\w*/", agent)), "")
    system = next((name for word, name in SYSTEMS.items() if word in agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or agent.partition(" ")[0][:40] or "Unknown browser"
