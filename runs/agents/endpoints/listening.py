"""A small HTTP server on a Unix socket, by which programs in a sandbox may ask this process something."""

import os
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

import orjson

# More than any honest question needs; and a caller that says nothing is not waited for longer.
MAX_BODY = 4 * 1024 * 1024
IDLE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: its method and path, the token that its caller shows ("" for none), and its body."""

    method: str
    path: str
    token: str = ""
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """What it is answered with: an HTTP status, and a JSON document."""

    status: int
    document: dict[str, Any]


# Several threads call it at once.
Respond = Callable[[Asked], HttpReply]


@contextmanager
def listen(folder: str, name: str, respond: Respond) -> Iterator[None]:
    """Answer callers that connect to a socket of this name in the folder, until the end. Raises OSError."""
    handler = type("Handler", (_Handler,), {"respond": staticmethod(respond)})
    handle = os.open(folder, os.O_RDONLY)
    try:
        # By way of the handle, since the address of a socket may be no longer than 107 bytes.
        server = _Server(f"/proc/self/fd/{handle}/{name}", handler)
        os.chmod(name, 0o666, dir_fd=handle)
    finally:
        os.close(handle)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), name="listening", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.hang_up()
        server.server_close()
        thread.join()
        os.unlink(f"{folder}/{name}")


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def __init__(self, place: str, handler: type[BaseHTTPRequestHandler]) -> None:
        self.callers: set[socket.socket] = set()
        super().__init__(place, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.callers.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.callers.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """Break off with all callers, without waiting for connections that stay open."""
        for caller in list(self.callers):
            with suppress(OSError):
                caller.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that breaks its connection off is nobody's trouble."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = IDLE_SECONDS
    respond: ClassVar[Respond]

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            self._send(HttpReply(411, {"error": "Content-Length is missing"}), closes=True)
        elif int(length) > MAX_BODY:
            self._send(HttpReply(413, {"error": f"a request has at most {MAX_BODY} bytes"}), closes=True)
        else:
            self._answer(self.rfile.read(int(length)))

    def _answer(self, body: bytes) -> None:
        kind, _, token = self.headers.get("Authorization", "").partition(" ")
        asked = Asked(self.command, self.path, token.strip() if kind.lower() == "bearer" else "", body)
        self._send(type(self).respond(asked))

    def _send(self, reported: HttpReply, *, closes: bool = False) -> None:
        data = orjson.dumps(reported.document)
        self.send_response(reported.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if closes:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing is logged: what is asked becomes events of the trial."""
