"""Rules about challenges (challenge-pack e, C1 to C5)."""

from collections.abc import Iterator

from packs.formats.challenge_pack.schema.nodes import DIFFICULTIES
from packs.formats.challenge_pack.values import one_of, text
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.identity import check_key
from packs.formats.values import exact_text

KEY_MISSING = Rule(
    "challenge_pack.E221", "The challenge has no key.", "Give it the name by which cases refer to it.", "C1"
)
KEY_REPEATED = Rule(
    "challenge_pack.E222",
    "Two challenges have the key {key!r}.",
    "Rename one of them, and the cases that mean it.",
    "C2",
)
TITLE_MISSING = Rule("challenge_pack.E223", "The challenge has no title.", "Write a title for people.", "C3")
CATEGORY_MISSING = Rule(
    "challenge_pack.E224", "The challenge has no category.", "Write a category of your own, such as support.", "C4"
)
DIFFICULTY_UNKNOWN = Rule(
    "challenge_pack.E225",
    "The difficulty {difficulty!r} does not exist.",
    "Use one of: {allowed} (in lower case).",
    "C5",
)


def check_challenge(challenge: Document, repeated: bool) -> Iterator[Finding]:
    """C1 to C5; `repeated` says that a challenge before this one has the same key."""
    key = text(challenge, "key")
    if not key:
        yield KEY_MISSING.at(("key",))
    elif repeated:
        yield KEY_REPEATED.at(("key",), key=key)
    yield from check_key(key, ("key",))
    if not text(challenge, "title"):
        yield TITLE_MISSING.at(("title",))
    if not text(challenge, "category"):
        yield CATEGORY_MISSING.at(("category",))
    if text(challenge, "difficulty") not in DIFFICULTIES:
        difficulty = exact_text(challenge, "difficulty")
        yield DIFFICULTY_UNKNOWN.at(("difficulty",), difficulty=difficulty, allowed=one_of(DIFFICULTIES))
