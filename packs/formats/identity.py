"""What a pack is called in a team: rules that hold for every format, asked when a pack comes in or is published."""

import re

from packs.formats.findings import Rule

LONG_KEY = Rule(
    "pack.E010", "The key {key!r} is too long to be published.", hint="Use at most 255 characters for keys."
)
OTHER_FORMAT = Rule(
    "pack.E011", "The pack {slug} has another format ({format}).", hint="Import these files under another slug."
)
NO_SLUG = Rule(
    "pack.E012",
    "{slug!r} cannot be part of an address.",
    hint="Give a slug of letters, digits, hyphens and underscores, at most 120 of them.",
)
TAKEN = Rule("pack.E013", "The team has a pack {slug} already.", hint="Choose another slug.")
NO_ROOM = Rule(
    "pack.E014",
    "The bytes of {name} would not be in the version: another part of the pack is written there, or nothing can be.",
    hint="Give it a path of its own below the pack's folder.",
)

_SLUG = re.compile(r"[-a-zA-Z0-9_]{1,120}")


def is_slug(text: str) -> bool:
    """Whether a text can be part of a pack's address."""
    return _SLUG.fullmatch(text) is not None
