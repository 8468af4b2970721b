"""An ASGI application that runs a WSGI application in threads.

A thread is taken once a request is there whole, and given back when its answer is made: files are sent without one, and
up to `PENDING` bytes of other answers wait in memory for clients that read slowly.
"""

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any
from urllib.parse import unquote_to_bytes
from wsgiref.util import FileWrapper

from studio.serving.bodies import Body, Reader, Receive, Refused

Scope = MutableMapping[str, Any]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Environ = dict[str, Any]
WsgiApplication = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

PENDING = 4 * 1024 * 1024
BLOCK = 64 * 1024
# How long an answer waits for its client to read on before it is given up.
SLOWEST_SECONDS = 60.0


class ClientGone(ConnectionError):
    """The client does not read its answer any more, or too slowly."""


class Bridge:
    """`threads` requests are at work at once; `address_of` says where a request comes from, by peer and header."""

    def __init__(
        self, application: WsgiApplication, threads: int, address_of: Callable[[str, str], str], reader: Reader
    ) -> None:
        self.application, self.address_of, self.reader = application, address_of, reader
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="web")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. Raises NotImplementedError for connections of other types."""
        if scope["type"] != "http":
            raise NotImplementedError(f"connections of type {scope['type']}")
        environ = environ_of(scope)
        address = self.address_of(environ["REMOTE_ADDR"], environ.get("HTTP_X_FORWARDED_FOR", ""))
        try:
            body = await self.reader.read(receive, address, announced(environ))
        except Refused as refused:
            await refuse(send, refused)
        except ConnectionError:
            return
        else:
            with closing(body):
                await Answer(send).give(self.pool, self.application, completed(environ, body))


class Answer:
    """One answer on its way from a thread to the client."""

    def __init__(self, send: Send) -> None:
        self.send, self.loop = send, asyncio.get_running_loop()
        self.head: Mapping[str, Any] = {}
        self.waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.pending = 0
        self.has_room = threading.Event()
        self.is_gone = False

    async def give(self, pool: ThreadPoolExecutor, application: WsgiApplication, environ: Environ) -> None:
        """Have the application answer in a thread, and pass on what comes."""
        sender = self.loop.create_task(self.pass_on())
        sender.add_done_callback(self.stop)
        try:
            file = await self.loop.run_in_executor(pool, self.work, application, environ)
            if file is not None:
                await self.pass_file(file, pool)
            self.waiting.put_nowait(None)
            await sender
        except ConnectionError:
            return
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)

    def stop(self, sender: asyncio.Task[None]) -> None:
        """Let the thread know that nothing is sent any more."""
        self.is_gone = True
        self.has_room.set()

    def work(self, application: WsgiApplication, environ: Environ) -> FileWrapper | None:
        """In a thread: make the answer. A file is given back, to be sent and closed without holding the thread."""
        found = application(environ, self.start)
        if isinstance(found, FileWrapper):
            return found
        try:
            for chunk in found:
                self.emit(chunk)
        finally:
            if hasattr(found, "close"):
                found.close()
        return None

    def start(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Callable[[bytes], None]:
        """`start_response` of WSGI (PEP 3333)."""
        lines = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        self.head = {"type": "http.response.start", "status": int(status.split(" ", 1)[0]), "headers": lines}
        return self.emit

    def emit(self, chunk: bytes) -> None:
        """Hand on a part of the answer. Raises ClientGone where the client reads too slowly."""
        while self.pending > PENDING and not self.is_gone:
            self.has_room.clear()
            # Room that was made in between is seen here, and would not be in the wait.
            is_full = self.pending > PENDING and not self.is_gone
            if is_full and not self.has_room.wait(SLOWEST_SECONDS):
                raise ClientGone
        if self.is_gone:
            raise ClientGone
        self.loop.call_soon_threadsafe(self.put, chunk)

    def put(self, chunk: bytes) -> None:
        self.pending += len(chunk)
        self.waiting.put_nowait(chunk)

    async def pass_on(self) -> None:
        """Send what the thread has made, and the end."""
        while (chunk := await self.waiting.get()) is not None:
            await self.send_head()
            await self.send({"type": "http.response.body", "body": chunk, "more_body": True})
            self.pending -= len(chunk)
            self.has_room.set()
        await self.send_head()
        await self.send({"type": "http.response.body", "body": b""})

    async def pass_file(self, file: FileWrapper, pool: ThreadPoolExecutor) -> None:
        """Send a file in pieces, as fast as the client reads, and close it."""
        try:
            await self.send_head()
            for chunk in file:
                message = {"type": "http.response.body", "body": chunk, "more_body": True}
                await asyncio.wait_for(self.send(message), SLOWEST_SECONDS)
        except TimeoutError:
            raise ClientGone from None
        finally:
            await self.loop.run_in_executor(pool, file.close)

    async def send_head(self) -> None:
        head, self.head = self.head, {}
        if head:
            await self.send(head)


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
        "wsgi.file_wrapper": FileWrapper,
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


async def refuse(send: Send, refused: Refused) -> None:
    """Answer with a plain sentence, and end the connection: what is left of the body is not read."""
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{refused}\n".encode()})
