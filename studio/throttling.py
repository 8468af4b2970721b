"""How many requests a user, or a key, may make of the API in a minute."""

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

if TYPE_CHECKING:
    # The views of the framework load what limits them.
    from rest_framework.views import APIView

WINDOW = 60.0
# Callers that are remembered; beyond it, those whose window is over are forgotten.
MANY = 10_000


@dataclass(frozen=True, slots=True)
class Standing:
    """What is left of a limit: `left` requests (-1 where one more was asked for), and seconds until all are back."""

    limit: int
    left: int
    seconds: float

    @property
    def headers(self) -> dict[str, str]:
        shown = {"Limit": self.limit, "Remaining": max(0, self.left), "Reset": round(self.seconds + 0.5)}
        return {f"X-RateLimit-{name}": str(value) for name, value in shown.items()}


@dataclass(slots=True)
class Limiter:
    """Counts the requests of each caller in windows that begin with their first one. Threads may share it."""

    seconds: float = WINDOW
    counts: dict[str, tuple[float, int]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, caller: str, limit: int, now: float) -> Standing:
        """Count a request at a moment (monotonic seconds)."""
        with self.lock:
            begun, count = self.counts.get(caller, (now, 0))
            if now - begun >= self.seconds:
                begun, count = now, 0
            if len(self.counts) > MANY:
                self.counts = {who: kept for who, kept in self.counts.items() if now - kept[0] < self.seconds}
            self.counts[caller] = (begun, min(count + 1, limit + 1))
        return Standing(limit, max(-1, limit - count - 1), begun + self.seconds - now)


LIMITER = Limiter()


class PerMinute(BaseThrottle):
    """`PACKWRIGHT_API_PER_MINUTE` requests of each user or key; each web process counts for itself."""

    standing: Standing | None = None

    def allow_request(self, request: Request, view: "APIView") -> bool:
        limit = settings.API_PER_MINUTE
        if not limit:
            return True
        self.standing = LIMITER.take(caller_of(request), limit, time.monotonic())
        # The view adds them to whatever it answers.
        view.headers_of_limit = self.standing.headers  # type: ignore[attr-defined]
        return self.standing.left >= 0

    def wait(self) -> float | None:
        return self.standing.seconds if self.standing else None


def caller_of(request: Request) -> str:
    """Who is counted: the key, else the user."""
    key: Any = request.auth
    return f"key:{key.pk}" if getattr(key, "pk", None) else f"user:{request.user.pk}"
