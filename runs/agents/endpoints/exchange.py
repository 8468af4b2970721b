"""One HTTP exchange with an allowed host: no redirects, no proxies, no cookies, a limit on what is read."""

import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from string import punctuation
from urllib.parse import quote, urlsplit, urlunsplit

import certifi
import httpcore

from runs.agents.endpoints.addresses import PORTS, UNPRINTABLE, AllowList
from runs.agents.endpoints.contract import EndpointFailed, Trouble
from runs.agents.endpoints.lines import Lines
from runs.agents.endpoints.watch import CURRENT, Watch

MAX_REPLY_BYTES = 16 * 1024 * 1024
DRAIN_SECONDS = 0.2
# The pool counts busy ones with them: with fewer than there are callers, each call would make a connection of its own.
IDLE_CONNECTIONS = 1000
IDLE_SECONDS = 30.0
OWN_HEADERS = {"user-agent": "packwright", "accept-encoding": "identity"}


@dataclass(slots=True)
class Answer:
    """What a host answered. Header names are in lower case; the body can be read once."""

    status: int
    headers: dict[str, str]
    response: httpcore.Response = field(repr=False)
    max_bytes: int

    def chunks(self) -> Iterator[bytes]:
        """The body as it comes. Raises EndpointFailed when it is longer than the limit."""
        read = 0
        for chunk in self.response.iter_stream():
            read += len(chunk)
            if read > self.max_bytes:
                raise EndpointFailed(
                    Trouble.BAD_REPLY, f"The answer is longer than {self.max_bytes // 1024} KiB; nothing of it is kept."
                )
            yield chunk

    def body(self) -> bytes:
        """The whole body. Raises EndpointFailed as `chunks` does."""
        return b"".join(self.chunks())


def drain(chunks: Iterator[bytes]) -> None:
    """Read for a moment what is left of a body that is complete, so that its connection can be used again."""
    token = CURRENT.set(CURRENT.get().within(DRAIN_SECONDS))
    try:
        for _ in chunks:
            pass
    except (EndpointFailed, httpcore.NetworkError, httpcore.ProtocolError):
        # The connection is closed then, and the next request opens another one.
        return
    finally:
        CURRENT.reset(token)


@lru_cache(maxsize=1)
def trust() -> ssl.SSLContext:
    """Whose certificates are believed: the machine's authorities and the well-known ones."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


class Web:
    """The way out of the studio: idle connections are kept for a while, and may be used from several threads."""

    def __init__(self, allowed: AllowList, max_reply_bytes: int = MAX_REPLY_BYTES) -> None:
        self.allowed = allowed
        self.max_reply_bytes = max_reply_bytes
        self.pool = httpcore.ConnectionPool(
            ssl_context=trust(),
            max_connections=None,
            max_keepalive_connections=IDLE_CONNECTIONS,
            keepalive_expiry=IDLE_SECONDS,
            network_backend=Lines(allowed),
        )

    def close(self) -> None:
        """Close the idle connections."""
        self.pool.close()

    @contextmanager
    def send(
        self, method: str, url: str, watch: Watch, headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> Iterator[Answer]:
        """Ask a host; the answer can be read until the block ends. Raises EndpointFailed, also while reading."""
        url = in_ascii(url)
        problem = self.allowed.problem(url)
        if problem:
            raise EndpointFailed(Trouble.NOT_ALLOWED, problem)
        token = CURRENT.set(watch)
        try:
            with self.pool.stream(method, url, headers=list(header_lines(url, headers)), content=body) as response:
                yield Answer(response.status, read_headers(response), response, self.max_reply_bytes)
        except (httpcore.ConnectError, ssl.SSLError) as error:
            raise EndpointFailed(Trouble.UNREACHABLE, f"{host_of(url)} cannot be reached: {error}.") from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
            raise EndpointFailed(
                Trouble.UNREACHABLE, f"The connection to {host_of(url)} broke off: {type(error).__name__}."
            ) from None
        finally:
            CURRENT.reset(token)


def in_ascii(url: str) -> str:
    """An address as requests have it: other characters of the host by IDNA, of the rest by percent signs.

    What is not an address stays. Raises EndpointFailed for a host that cannot be written so, and for line ends,
    which `urlsplit` would drop.
    """
    if not url.isprintable():
        raise EndpointFailed(Trouble.NOT_ALLOWED, UNPRINTABLE)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return url
    place = parts.netloc
    if not place.isascii() and "@" not in place:
        try:
            place = host.encode("idna").decode()
        except UnicodeError:
            raise EndpointFailed(Trouble.UNREACHABLE, f"{host!r} is not a name of a host.") from None
        place += "" if port is None else f":{port}"
    path, query = (quote(part, safe=punctuation, errors="replace") for part in (parts.path, parts.query))
    return urlunsplit((parts.scheme, place, path, query, parts.fragment))


def header_lines(url: str, headers: Mapping[str, str] | None) -> Iterator[tuple[bytes, bytes]]:
    """Our own headers with those that are given over them, and the host. Raises EndpointFailed."""
    for name, value in {**OWN_HEADERS, **{name.lower(): value for name, value in (headers or {}).items()}}.items():
        if not value.isprintable():
            raise EndpointFailed(Trouble.NOT_ALLOWED, f"The header {name!r} holds characters that no header may hold.")
        yield name.encode("ascii", "replace"), value.encode("utf-8")
    yield b"host", host_of(url).encode("ascii")


def host_of(url: str) -> str:
    """Host and port of an address, the port only where it is not the usual one."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    return host if parts.port in (None, PORTS.get(parts.scheme)) else f"{host}:{parts.port}"


def read_headers(response: httpcore.Response) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
