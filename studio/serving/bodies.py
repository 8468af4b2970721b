"""Requests from their first byte to their answer: limits on slow, large and many ones.

Bodies are read to their end before a thread of Django is taken.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import Any

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Body = SpooledTemporaryFile[bytes]
MIB = 1024 * 1024
# Bytes of a body or an answer that are kept in memory; the rest is on disk.
IN_MEMORY = MIB


class Refused(Exception):
    """A request that is not read any further; `status` is what the client is answered, `code` goes into its finding."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


@dataclass(frozen=True, slots=True)
class Limits:
    """`largest` in bytes; a body has `grace` seconds and then must have come with `speed` bytes a second at least,
    and within `longest` seconds; `at_once` requests of one address and `in_all` of all may be under way, and bodies of
    `kept` bytes from one address."""

    largest: int = 256 * MIB
    grace: float = 10.0
    speed: int = 16 * 1024
    longest: float = 1800.0
    at_once: int = 64
    in_all: int = 512
    kept: int = 1024 * MIB


@dataclass(slots=True, eq=False)
class Arrival:
    """A request that is under way, and the bytes of its body that are there."""

    size: int = 0


@dataclass(slots=True)
class Reader:
    """Reads the requests of one web process."""

    limits: Limits = field(default_factory=Limits)
    under_way: defaultdict[str, set[Arrival]] = field(default_factory=lambda: defaultdict(set))

    @asynccontextmanager
    async def read(self, receive: Receive, address: str, announced: int | None) -> AsyncIterator[Body]:
        """The whole body, at its beginning; the request counts for its address until the block is left.

        `announced` is the length that the client states, if any. Raises Refused, and ConnectionError when the client
        has gone.
        """
        self._admit(address, announced)
        arrival = Arrival()
        self.under_way[address].add(arrival)
        try:
            with SpooledTemporaryFile(IN_MEMORY) as body:
                await self._fill(body, receive, address, arrival)
                body.seek(0)
                yield body
        finally:
            self.under_way[address].discard(arrival)
            if not self.under_way[address]:
                del self.under_way[address]

    def _admit(self, address: str, announced: int | None) -> None:
        if announced is not None:
            self._require_size(announced)
        in_all = sum(len(arrivals) for arrivals in self.under_way.values())
        if len(self.under_way.get(address, ())) >= self.limits.at_once or in_all >= self.limits.in_all:
            raise Refused(429, "too_many_requests", "Too many requests are under way at once. Try again in a moment.")

    def _require_size(self, size: int) -> None:
        if size > self.limits.largest:
            raise Refused(413, "too_large", f"The body is larger than {self.limits.largest // MIB} MiB.")

    async def _fill(self, body: Body, receive: Receive, address: str, arrival: Arrival) -> None:
        began, more = monotonic(), True
        while more:
            due = min(self.limits.grace + arrival.size / self.limits.speed, self.limits.longest)
            try:
                message = await asyncio.wait_for(receive(), max(began + due - monotonic(), 0))
            except TimeoutError:
                raise Refused(408, "too_slow", "The body came too slowly.") from None
            if message["type"] == "http.disconnect":
                raise ConnectionResetError
            chunk, more = message.get("body", b""), message.get("more_body", False)
            arrival.size += len(chunk)
            self._require_size(arrival.size)
            if sum(each.size for each in self.under_way[address]) > self.limits.kept:
                raise Refused(429, "too_many_bodies", "Too many large bodies come at once. Try again in a moment.")
            try:
                body.write(chunk)
            except OSError:
                raise Refused(507, "disk_full", "The studio has no room on its disk for the body.") from None
