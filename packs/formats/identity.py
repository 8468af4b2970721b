"""What a pack and its nodes are called: rules that hold for every format."""

import re
from collections.abc import Iterator

from packs.formats.findings import Finding, Path, Rule

# How many characters the look-up columns of rows hold.
MAX_KEY = 255
# As the column of rows holds it.
LONGEST_SLUG = 120

LONG_KEY = Rule(
    "pack.E010",
    "The key {key!r} has {size} characters; at most {limit} can be looked up.",
    hint="Use a shorter key.",
)
NULL_IN_KEY = Rule("pack.E015", "The key {key!r} has a null character.", hint="Use ordinary characters for keys.")
OTHER_FORMAT = Rule(
    "pack.E011", "The pack {slug} has another format ({format}).", hint="Import these files under another slug."
)
NO_SLUG = Rule(
    "pack.E012",
    "{slug!r} cannot be part of an address.",
    hint=f"Give a slug of letters, digits, hyphens and underscores, at most {LONGEST_SLUG} of them.",
)
TAKEN = Rule("pack.E013", "The team has a pack {slug} already.", hint="Choose another slug.")
NO_ROOM = Rule(
    "pack.E014",
    "The bytes of {name} would not be in the version: another part of the pack is written there, or nothing can be.",
    hint="Give it a path of its own below the pack's folder.",
)

_SLUG = re.compile(rf"[-a-zA-Z0-9_]{{1,{LONGEST_SLUG}}}")


def is_slug(text: str) -> bool:
    """Whether a text can be part of a pack's address."""
    return _SLUG.fullmatch(text) is not None


def check_key(key: str, path: Path, field: str = "") -> Iterator[Finding]:
    """What keeps the key of a node, stated at `path` in its document, from being found again."""
    if len(key) > MAX_KEY:
        yield LONG_KEY.at(path, field=field, key=f"{key[:40]}…", size=len(key), limit=MAX_KEY)
    if "\0" in key:
        yield NULL_IN_KEY.at(path, field=field, key=key[:80])
