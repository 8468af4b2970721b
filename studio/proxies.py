"""The address that a request really comes from, where a proxy stands before the studio."""

import ipaddress
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.http import HttpRequest, HttpResponseBase

# Of an IPv6 address, those that name the network of a client.
CLIENT_BITS = 64
Block = ipaddress.IPv4Network | ipaddress.IPv6Network


class ClientAddress:
    """Middleware: replaces the address of a proxy of `PACKWRIGHT_PROXIES` by the one that the proxy names.

    Of `X-Forwarded-For` the last address counts that is not such a proxy's: those before it are what the client says.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.proxies = read_blocks(settings.PROXIES)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        forwarded, peer = request.headers.get("X-Forwarded-For", ""), request.META.get("REMOTE_ADDR", "")
        request.META["REMOTE_ADDR"] = client_of(peer, forwarded, self.proxies)
        return self.get_response(request)


def client_of(peer: str, forwarded: str, proxies: Sequence[Block]) -> str:
    """Where a request comes from: its peer, or the last address in the header that is no proxy of ours.

    Before a hop that is not an address the last one counts that is.
    """
    found = peer
    for hop in (peer, *reversed(forwarded.split(","))):
        try:
            address = read_address(hop)
        except ValueError:
            return found
        found = hop.strip()
        if not any(address in block for block in proxies):
            return found
    return found


def read_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An address; one of IPv4 that is written as IPv6 is the one of IPv4. Raises ValueError."""
    address = ipaddress.ip_address(text.strip())
    return getattr(address, "ipv4_mapped", None) or address


def counted_address(text: str) -> str:
    """An address as limits count it: of IPv6 the block that one client usually has, from which it can take any."""
    try:
        address = read_address(text)
    except ValueError:
        return text[:64]
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((int(address), CLIENT_BITS), strict=False))


def read_blocks(texts: Iterable[str]) -> list[Block]:
    """Addresses and blocks of addresses. Raises ValueError."""
    return [ipaddress.ip_network(text.strip(), strict=False) for text in texts if text.strip()]


def check_proxies(app_configs: Sequence[Any] | None, **more: Any) -> list[CheckMessage]:
    """Every entry of `PACKWRIGHT_PROXIES` must be an address or a block."""
    try:
        read_blocks(settings.PROXIES)
    except ValueError as error:
        return [Error(f"PACKWRIGHT_PROXIES: {error}.", hint="See docs/deployment.md.", id="studio.E001")]
    return []
