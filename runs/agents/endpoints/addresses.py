"""Which hosts the studio may call on behalf of a user.

An entry of the allow list is the word `public` (every address of the public internet), a host name
(`models.example.com`, `*.example.com`), an address or a block of addresses (`10.0.0.5`, `10.1.0.0/16`, `[::1]`); a name
or an address may end in a port (`localhost:11434`).
"""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Block = ipaddress.IPv4Network | ipaddress.IPv6Network

PUBLIC = "public"
# Azure answers instances on the first, of the public range, with what concerns their host. The others are reserved for
# protocols, deprecated relays and documentation; `is_global` accepts (parts of) them, depending on the Python.
NEVER_PUBLIC = [
    ipaddress.ip_network(block) for block in ("168.63.129.16", "192.0.0.0/24", "192.88.99.0/24", "3fff::/20")
]
NAT64 = ipaddress.ip_network("64:ff9b::/96")
# IANA gives out global unicast addresses from this block alone; `is_global` also accepts blocks that are reserved,
# deprecated (`::/96`, `fec0::/10`) or local (`64:ff9b:1::/48`).
GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
PORTS = {"http": 80, "https": 443}
WITH_PORT = re.compile(r"(?P<host>\[[^\]]*\]|[^:]*):(?P<port>[0-9]{1,5})")
UNPRINTABLE = "Remove line ends and other invisible characters from the address."
NAME = re.compile(r"(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?")


def is_public(address: Address) -> bool:
    """Whether an address is of the public internet, also where it wraps another one."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address not in GLOBAL_UNICAST:
            return False
    return address.is_global and not address.is_multicast and not any(address in block for block in NEVER_PUBLIC)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: a name or a block of addresses, on one port or (None) on every one."""

    name: str = ""
    block: Block | None = None
    port: int | None = None

    @classmethod
    def read(cls, text: str) -> "Entry":
        """Raises ValueError for a text that is neither a name nor an address."""
        rest, port = text.strip().casefold(), None
        found = WITH_PORT.fullmatch(rest)
        if found:
            rest, port = found["host"], int(found["port"])
        try:
            return cls(block=ipaddress.ip_network(rest.strip("[]"), strict=False), port=port)
        except ValueError:
            if not NAME.fullmatch(rest):
                raise ValueError(f"{text!r} is neither a host name nor an address nor a block of addresses.") from None
        return cls(name=rest.rstrip("."), port=port)

    def fits(self, host: str, port: int, address: Address | None) -> bool:
        """Whether the entry allows this host and port; `address` is what the host stands for, None while unknown."""
        if self.port is not None and self.port != port:
            return False
        if self.block is not None:
            return address is not None and address in self.block
        return host.endswith(self.name[1:]) if self.name.startswith("*") else host == self.name


def is_name(host: str) -> bool:
    """Whether a text is a host name, letters of other alphabets included, which are looked up by IDNA."""
    try:
        return NAME.fullmatch(host.casefold().encode("idna").decode()) is not None
    except UnicodeError:
        return False


def as_address(host: str) -> Address | None:
    """The address that a host is written as; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class AllowList:
    """The hosts that may be called."""

    entries: tuple[Entry, ...] = ()
    is_public_allowed: bool = True

    @classmethod
    def read(cls, texts: Iterable[str]) -> "AllowList":
        """Raises ValueError for an entry that cannot be understood."""
        given = [text.strip() for text in texts if text.strip()]
        return cls(tuple(Entry.read(text) for text in given if text != PUBLIC), PUBLIC in given)

    def allows(self, host: str, port: int, address: Address) -> bool:
        """Whether a connection to this address may be made for this host."""
        return self.is_listed(host, port, address) or (self.is_public_allowed and is_public(address))

    def is_listed(self, host: str, port: int, address: Address | None) -> bool:
        """Whether an entry names the host itself."""
        return any(entry.fits(host.casefold().rstrip("."), port, address) for entry in self.entries)

    def problem(self, url: str) -> str:
        """What is wrong with an address as it is written; empty when nothing is. Asks no name server."""
        # `urlsplit` drops line ends; what is checked must be what is called.
        if not url.isprintable():
            return UNPRINTABLE
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            return "This is not a web address."
        if parts.scheme not in PORTS or not host:
            return "Give an address that begins with https:// or http:// and names a host."
        if as_address(host) is None and not is_name(host):
            return f"{host!r} is not a host name."
        if parts.username is not None or parts.password is not None or parts.fragment:
            return "Leave user name, password and fragment out of the address."
        return self._refusal(parts, host, port or PORTS[parts.scheme])

    def _refusal(self, parts: SplitResult, host: str, port: int) -> str:
        address = as_address(host)
        if self.is_listed(host, port, address):
            return ""
        if address is not None and not self.allows(host, port, address):
            return not_allowed(host)
        # A name may stand for an address in one of the blocks; that shows when it is looked up.
        may_be_listed = address is None and any(entry.block for entry in self.entries)
        if not self.is_public_allowed and not may_be_listed:
            return not_allowed(host)
        if parts.scheme == "http" and not may_be_listed:
            return "Without encryption only hosts that PACKWRIGHT_ENDPOINT_HOSTS names may be called: use https://."
        return ""


def not_allowed(host: str) -> str:
    """The sentence for a host that may not be called."""
    return (
        f"The host {host} may not be called from this studio. "
        "Its operator can add the host to PACKWRIGHT_ENDPOINT_HOSTS."
    )
