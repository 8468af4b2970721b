"""How long something may take, and whether it is still wanted."""

import time
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

from runs.agents.endpoints.contract import EndpointFailed, Trouble

# How long anything waits before it looks again whether it is still wanted.
GLANCE_SECONDS = 0.1


def never() -> bool:
    """The answer of a request that nobody can cancel."""
    return False


@dataclass(frozen=True, slots=True)
class Watch:
    """A deadline on the monotonic clock (None: there is none) and the question whether to give up."""

    deadline: float | None = None
    is_cancelled: Callable[[], bool] = never

    @classmethod
    def of(cls, seconds: float | None, is_cancelled: Callable[[], bool] = never) -> "Watch":
        """The watch of a request that may take so many seconds from now on."""
        return cls(None if seconds is None else time.monotonic() + seconds, is_cancelled)

    def within(self, seconds: float) -> "Watch":
        """The same, ending after so many seconds at the latest."""
        until = time.monotonic() + seconds
        return Watch(until if self.deadline is None else min(until, self.deadline), self.is_cancelled)

    def left(self) -> float | None:
        """Seconds until the deadline, 0 when it has passed; None without one."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def check(self) -> None:
        """Raises EndpointFailed when the time is over or the request is not wanted any more."""
        if self.is_cancelled():
            raise EndpointFailed(Trouble.CANCELLED, "The request was cancelled.")
        if self.left() == 0:
            raise EndpointFailed(Trouble.TIMEOUT, "No complete answer came within the time limit.")

    def sleep(self, seconds: float) -> None:
        """Wait. Raises EndpointFailed as soon as `check` does."""
        until = time.monotonic() + seconds
        self.check()
        while (rest := until - time.monotonic()) > 0:
            time.sleep(min(rest, GLANCE_SECONDS))
            self.check()


# The watch of the call that this thread is making, for the sockets far below it.
CURRENT: ContextVar[Watch] = ContextVar("watch")
