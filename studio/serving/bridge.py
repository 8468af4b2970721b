"""An ASGI application that runs a WSGI application in threads, and never for a client that is slow.

A thread is taken once a request is there whole, and given back when its answer is made whole. That is why no library
stands here: a2wsgi takes a thread while the body still comes, and holds it for a client that does not read its answer;
Django's own ASGI handler makes a thread for each request without a limit, reads files and long answers into memory,
and answered half as many pages a second; waitress has neither a least speed of bodies nor limits for each address, and
only one process.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Any
from urllib.parse import unquote_to_bytes

from studio.refusals import ROOT, body_of, finding_of
from studio.serving.bodies import IN_MEMORY, Body, Reader, Receive, Refused

Scope = MutableMapping[str, Any]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Environ = dict[str, Any]
WsgiApplication = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

BLOCK = 64 * 1024
# How long a block of an answer may take to its client before the answer is given up.
SLOWEST_SECONDS = 30.0


class Bridge:
    """`threads` requests with a body are at work at once, and as many without: pages do not wait behind uploads.

    `address_of` says where a request comes from, by its peer and `X-Forwarded-For`.
    """

    def __init__(
        self, application: WsgiApplication, threads: int, address_of: Callable[[str, str], str], reader: Reader
    ) -> None:
        self.application, self.address_of, self.reader = application, address_of, reader
        self.of_writes = ThreadPoolExecutor(threads, thread_name_prefix="web-writes")
        self.of_reads = ThreadPoolExecutor(threads, thread_name_prefix="web-reads")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. Raises NotImplementedError for connections of other types."""
        if scope["type"] != "http":
            raise NotImplementedError(f"connections of type {scope['type']}")
        environ = environ_of(scope)
        address = self.address_of(environ["REMOTE_ADDR"], environ.get("HTTP_X_FORWARDED_FOR", ""))
        try:
            async with self.reader.read(receive, address, announced(environ)) as body:
                await self.answer(completed(environ, body), send)
        except Refused as refused:
            await refuse(send, refused, environ["PATH_INFO"])
        except (ConnectionError, TimeoutError):
            # The client has gone, or does not read its answer: there is nobody to tell.
            return

    async def answer(self, environ: Environ, send: Send) -> None:
        """Have the application answer in a thread, then send what it made as fast as the client reads."""
        loop = asyncio.get_running_loop()
        pool = self.of_reads if environ.get("CONTENT_LENGTH", "0") == "0" else self.of_writes
        made = await loop.run_in_executor(pool, Answer.of, self.application, environ)
        with closing(made.content):
            await send({"type": "http.response.start", "status": made.status, "headers": made.headers})
            while block := made.content.read(BLOCK):
                message = {"type": "http.response.body", "body": block, "more_body": True}
                await asyncio.wait_for(send(message), SLOWEST_SECONDS)
            await send({"type": "http.response.body", "body": b""})


@dataclass(slots=True)
class Answer:
    """An answer that was made whole: in memory, or on disk where it is long."""

    status: int = 500
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    content: Body = field(default_factory=partial(SpooledTemporaryFile, IN_MEMORY))

    @classmethod
    def of(cls, application: WsgiApplication, environ: Environ) -> "Answer":
        """What the application answers. Raises whatever it raises."""
        made = cls()
        try:
            made.take(application, environ)
        except BaseException:
            made.content.close()
            raise
        return made

    def take(self, application: WsgiApplication, environ: Environ) -> None:
        parts = application(environ, self.start)
        try:
            self.content.writelines(parts)
        finally:
            if hasattr(parts, "close"):
                parts.close()
        self.content.seek(0)

    def start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], int]:
        """`start_response` of WSGI (PEP 3333)."""
        self.headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        self.status = int(status.split(" ", 1)[0])
        return self.content.write


def environ_of(scope: Scope) -> Environ:
    """The environment of a request (PEP 3333), but for its body."""
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    path = scope.get("raw_path") or scope["path"].encode()
    found: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in header_fields(scope["headers"]):
        found[name] = f"{found[name]},{value}" if name in found else value
    return found


def header_fields(headers: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[str, str]]:
    """Headers under their WSGI names. Names with an underscore are left out: they would pass for others."""
    for name, value in headers:
        if b"_" in name:
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        yield key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}", value.decode("latin-1")


def announced(environ: Environ) -> int | None:
    """The length of the body that the client states, if it does."""
    stated = environ.get("CONTENT_LENGTH", "")
    return int(stated) if stated.isascii() and stated.isdecimal() and len(stated) < 19 else None


def completed(environ: Environ, body: Body) -> Environ:
    """The environment with the body that was read and its true length."""
    size = body.seek(0, 2)
    body.seek(0)
    length = {"CONTENT_LENGTH": str(size)} if size or "CONTENT_LENGTH" in environ else {}
    return {**environ, **length, "wsgi.input": body}


async def refuse(send: Send, refused: Refused, path: str) -> None:
    """Answer programs with a finding and others with a sentence, and end the connection: what is left of the body is
    not read."""
    kind, body = b"text/plain; charset=utf-8", f"{refused}\n".encode()
    if path.startswith(ROOT):
        kind, body = b"application/json", json.dumps(body_of(finding_of(refused.code, str(refused), ()))).encode()
    headers = [(b"content-type", kind), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
