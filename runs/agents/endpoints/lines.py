"""Network connections that go only to allowed addresses and that a watch can end at any moment.

A host name is looked up once per connection, and the connection goes to the very address that was checked, so that a
name that changes its mind in between gains nothing.
"""

import ipaddress
import select
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import httpcore

from runs.agents.endpoints.addresses import Address, AllowList, as_address, not_allowed
from runs.agents.endpoints.contract import EndpointFailed, Trouble
from runs.agents.endpoints.watch import CURRENT, GLANCE_SECONDS, Watch

T = TypeVar("T")
CONNECT_SECONDS = 15.0


def pause(line: socket.socket, event: int, watch: Watch) -> None:
    """Wait until a socket is ready. Raises EndpointFailed when the watch ends first."""
    waiting = select.poll()
    waiting.register(line, event)
    while not waiting.poll(GLANCE_SECONDS * 1000):
        watch.check()


class Line(httpcore.NetworkStream):
    """A socket that never blocks longer than its watch allows."""

    def __init__(self, line: socket.socket) -> None:
        self.line = line

    def _perform(self, act: Callable[[], T], event: int, failure: type[Exception]) -> T:
        watch = CURRENT.get()
        while True:
            watch.check()
            try:
                return act()
            # TLS may have to read in order to write, and the other way round.
            except ssl.SSLWantReadError:
                pause(self.line, select.POLLIN, watch)
            except ssl.SSLWantWriteError:
                pause(self.line, select.POLLOUT, watch)
            except BlockingIOError:
                pause(self.line, event, watch)
            except OSError as error:
                raise failure(str(error)) from error

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """The next bytes, empty at the end. Raises EndpointFailed, httpcore.ReadError."""
        return self._perform(partial(self.line.recv, max_bytes), select.POLLIN, httpcore.ReadError)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send everything. Raises EndpointFailed, httpcore.WriteError."""
        rest = memoryview(buffer)
        while rest:
            rest = rest[self._perform(partial(self.line.send, rest), select.POLLOUT, httpcore.WriteError) :]

    def close(self) -> None:
        """Give the socket up."""
        self.line.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """The same connection, encrypted; the certificate must be that of the host, whatever its address."""
        inner = ssl_context.wrap_socket(
            self.line, server_hostname=server_hostname, do_handshake_on_connect=False, suppress_ragged_eofs=False
        )
        encrypted = Line(inner)
        try:
            encrypted._perform(inner.do_handshake, select.POLLIN, httpcore.ConnectError)
        except Exception:
            encrypted.close()
            raise
        return encrypted

    def get_extra_info(self, info: str) -> Any:
        """What the pool asks: whether an idle connection has something to say, that is, was closed."""
        if info == "is_readable":
            waiting = select.poll()
            waiting.register(self.line, select.POLLIN)
            return bool(waiting.poll(0))
        return self.line if info == "socket" else None


class Lines(httpcore.NetworkBackend):
    """Opens connections to hosts that the allow list has."""

    def __init__(self, allowed: AllowList) -> None:
        self.allowed = allowed

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address that answers. Raises EndpointFailed, httpcore.ConnectError."""
        watch = CURRENT.get().within(CONNECT_SECONDS)
        addresses = [found for found in look_up(host, watch) if self.allowed.allows(host, port, found)]
        if not addresses:
            raise EndpointFailed(Trouble.NOT_ALLOWED, not_allowed(host))
        trouble: httpcore.ConnectError | None = None
        for address in addresses:
            try:
                return Line(open_socket(address, port, watch))
            except httpcore.ConnectError as error:
                trouble = error
        raise trouble or httpcore.ConnectError(host)


def look_up(host: str, watch: Watch) -> list[Address]:
    """The addresses of a host. Raises EndpointFailed where there are none.

    The system's resolver cannot be interrupted, so a thread waits for it.
    """
    written = as_address(host)
    if written is not None:
        return [written]
    found: list[Address] = []

    def resolve() -> None:
        try:
            answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            return
        found.extend(ipaddress.ip_address(str(answer[4][0]).partition("%")[0]) for answer in answers)

    thread = threading.Thread(target=resolve, daemon=True)
    thread.start()
    while thread.is_alive():
        watch.check()
        thread.join(GLANCE_SECONDS)
    if not found:
        raise EndpointFailed(Trouble.UNREACHABLE, f"The host {host} is not known.")
    return found


def open_socket(address: Address, port: int, watch: Watch) -> socket.socket:
    """A connected socket that does not block. Raises EndpointFailed, httpcore.ConnectError."""
    line = socket.socket(socket.AF_INET if address.version == 4 else socket.AF_INET6, socket.SOCK_STREAM)
    try:
        line.setblocking(False)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            line.connect((str(address), port))
        except BlockingIOError:
            pause(line, select.POLLOUT, watch)
        failure = line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if failure:
            raise OSError(failure, "connecting failed")
    except OSError as error:
        line.close()
        raise httpcore.ConnectError(str(error)) from error
    except BaseException:
        line.close()
        raise
    return line
