"""Bodies of requests, read to their end before a thread of Django is taken, with limits on slow and large ones."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import Any

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Body = SpooledTemporaryFile[bytes]


class Refused(Exception):
    """A body that is not read any further; `status` is what the client is answered."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Limits:
    """`largest` in bytes; a body has `grace` seconds and then must have come with `speed` bytes a second at least,
    and within `longest` seconds; `at_once` bodies of one address and `in_all` of all may be under way."""

    largest: int = 256 * 1024 * 1024
    grace: float = 10.0
    speed: int = 16 * 1024
    longest: float = 1800.0
    at_once: int = 16
    in_all: int = 512
    # Bytes of one body that are kept in memory; the rest is on disk.
    in_memory: int = 1024 * 1024


@dataclass(slots=True)
class Reader:
    """Reads the bodies of one web process."""

    limits: Limits = field(default_factory=Limits)
    under_way: Counter[str] = field(default_factory=Counter)

    async def read(self, receive: Receive, address: str, announced: int | None) -> Body:
        """The whole body, at its beginning. Raises Refused, and ConnectionError when the client has gone.

        `announced` is the length that the client states, if any.
        """
        if announced is not None and announced > self.limits.largest:
            raise Refused(413, f"The body is larger than {self.limits.largest // 1024 // 1024} MiB.")
        if self.under_way[address] >= self.limits.at_once or self.under_way.total() >= self.limits.in_all:
            raise Refused(429, "Too many bodies are being sent at once. Try again in a moment.")
        self.under_way[address] += 1
        body: Body = SpooledTemporaryFile(self.limits.in_memory)  # noqa: SIM115 - whoever reads it closes it
        try:
            await self._fill(body, receive)
        except BaseException:
            body.close()
            raise
        finally:
            self.under_way[address] -= 1
            if not self.under_way[address]:
                del self.under_way[address]
        body.seek(0)
        return body

    async def _fill(self, body: Body, receive: Receive) -> None:
        began, size, more = monotonic(), 0, True
        while more:
            left = min(self.limits.grace + size / self.limits.speed, self.limits.longest) - (monotonic() - began)
            try:
                message = await asyncio.wait_for(receive(), max(left, 0))
            except TimeoutError:
                raise Refused(408, "The body came too slowly.") from None
            if message["type"] == "http.disconnect":
                raise ConnectionResetError
            size += len(message.get("body", b""))
            if size > self.limits.largest:
                raise Refused(413, f"The body is larger than {self.limits.largest // 1024 // 1024} MiB.")
            body.write(message.get("body", b""))
            more = message.get("more_body", False)
