"""Rules about challenges (challenge-pack e, C1 to C5)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.values import text
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.identity import check_key

KEY_REPEATED = Rule(
    "challenge_pack.E222",
    "Two challenges have the key {key!r}.",
    "Rename one of them, and the cases that mean it.",
    "C2",
)


def check_challenge(challenge: Document, is_repeated: bool) -> Iterator[Finding]:
    """C2; `is_repeated` says that a challenge before this one has the same key."""
    key = text(challenge, "key")
    if is_repeated:
        yield KEY_REPEATED.at(("key",), key=key)
    yield from check_key(key, ("key",))
