"""The primitive of kind network: one HTTP request to a host that the studio and the task allow (challenge-pack c.5).

The worker sends it, not a program in the sandbox, so that secrets in it never enter the workspace and the address is
checked after its name was looked up.
"""

import ipaddress
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from packs.formats.later import Later
from runs.agents.endpoints.addresses import Address, AllowList, Block
from runs.agents.endpoints.contract import EndpointFailed, Trouble
from runs.agents.tools.contract import (
    NOT_ALLOWED,
    POSITIVE,
    TEXT,
    Arguments,
    Bench,
    Done,
    NetworkUse,
    Origin,
    Primitive,
    ToolFailed,
    named,
    parameters,
)
from runs.agents.tools.places import writable

if TYPE_CHECKING:
    from runs.agents.endpoints import exchange
else:
    # Of those who know the tools, few make requests.
    exchange = Later("runs.agents.endpoints.exchange")

KIND = "network"
DEFAULT_SECONDS = 30.0
MAX_REPLY_BYTES = 4 * 1024 * 1024
MAX_BODY = 64 * 1024
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Headers that the exchange itself sets; a caller that could set them could ask one host in the name of another.
OWN_HEADERS = frozenset({"host", "content-length", "transfer-encoding", "connection"})


@dataclass(frozen=True, slots=True)
class Reach(AllowList):
    """What the studio allows, narrowed to the blocks of addresses that the task states; without any to nothing else."""

    blocks: tuple[Block, ...] = ()

    def allows(self, host: str, port: int, address: Address) -> bool:
        within = not self.blocks or any(address in block for block in self.blocks)
        return within and AllowList.allows(self, host, port, address)


def reach_of(hosts: AllowList, blocks: Iterable[str]) -> Reach:
    """The hosts that a task may call. Of its blocks those that are none count as absent; publishing refuses them."""
    read = tuple(block for block in map(_block, blocks) if block is not None)
    return Reach(hosts.entries, hosts.is_public_allowed, read)


def _block(text: str) -> Block | None:
    try:
        return ipaddress.ip_network(text.strip(), strict=False)
    except ValueError:
        return None


def http_request(bench: Bench, arguments: Arguments) -> Done:
    method, url = arguments["method"].strip().upper(), arguments["url"].strip()
    if method not in METHODS:
        raise ToolFailed(f"the method {arguments['method']!r} is not known")
    headers = {name: text for name, text in arguments.get("headers", {}).items() if name.lower() not in OWN_HEADERS}
    target = arguments.get("output_path", "").strip()
    path = writable(bench, target) if target else ""
    body = arguments.get("body")
    watch = bench.watch.within(arguments.get("timeout_seconds", DEFAULT_SECONDS))
    try:
        sent = None if body is None else body.encode("utf-8", "replace")
        web = exchange.Web(bench.hosts, MAX_REPLY_BYTES)
        with closing(web), web.send(method, url, watch, headers, sent) as answer:
            value, data = _described(answer), b"" if method == "HEAD" else answer.body()
    except EndpointFailed as error:
        refused = error.trouble is Trouble.NOT_ALLOWED
        note(bench, url, "blocked" if refused else "failed")
        raise ToolFailed(_reported(error, url), Origin.POLICY if refused else Origin.PRIMITIVE) from None
    note(bench, url, str(answer.status))
    if path:
        bench.room.write_file(path, data)
        return Done({**value, "output_path": target, "bytes": len(data)}, is_error=answer.status >= 400)
    return Done({**value, **_body(data)}, is_error=answer.status >= 400)


def _reported(error: EndpointFailed, url: str) -> str:
    if error.trouble is not Trouble.NOT_ALLOWED:
        return str(error)
    host = host_of(url) or url[:100]
    return f"{NOT_ALLOWED}: {host!r} is not a host that this task may call with this scheme"


def note(bench: Bench, url: str, status: str) -> None:
    """Keep a request for the record of the call."""
    parts = urlsplit(url) if host_of(url) else None
    path = "" if parts is None else parts.path + (f"?{parts.query}" if parts.query else "")
    bench.network.append(NetworkUse(host_of(url), path, status))


def host_of(url: str) -> str:
    """The host of an address; empty where it names none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _described(answer: "exchange.Answer") -> dict[str, Any]:
    return {"status_code": answer.status, "headers": answer.headers}


def _body(data: bytes) -> dict[str, Any]:
    text = data.decode("utf-8", "replace")
    return {"body": text[:MAX_BODY], "truncated": True} if len(text) > MAX_BODY else {"body": text}


PRIMITIVES = (
    Primitive(
        "http_request",
        KIND,
        "Sends one HTTP request and gives status, headers and body. Redirects are not followed.",
        parameters(
            ("method", "url"),
            method=TEXT,
            url=TEXT,
            headers={"type": "object", "additionalProperties": TEXT},
            body=TEXT,
            timeout_seconds=POSITIVE,
            output_path=named(TEXT, "A file of the workspace for the body, instead of the reply."),
        ),
        http_request,
        needs_workspace=False,
    ),
)
