"""Rules about the head of a pack: identity, version, mode and voice (challenge-pack e, B1 to B13)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.values import (
    mapping,
    texts,
)
from packs.formats.document import Document, Pack
from packs.formats.findings import Finding, Rule

TRANSPORT_REPEATED = Rule(
    "challenge_pack.E110", "The transport {transport!r} is listed twice.", "Keep one of the two.", "B7"
)
NO_CHALLENGE = Rule("challenge_pack.E118", "The pack has no challenge.", "Add at least one challenge.", "B12")


def check_transports(pack: Document) -> Iterator[Finding]:
    """B7: no transport of a voice pack is listed twice."""
    seen = {""}
    for position, written in texts(mapping(pack, "interface_spec"), "transports"):
        transport = written.strip()
        if transport in seen and transport:
            yield TRANSPORT_REPEATED.at(("interface_spec", "transports", position), transport=transport)
        seen.add(transport)


def check_challenge_count(pack: Pack) -> Iterator[Finding]:
    """B12, asked of the whole pack: at least one challenge."""
    if not pack.challenges:
        yield NO_CHALLENGE.at(("challenges",))
