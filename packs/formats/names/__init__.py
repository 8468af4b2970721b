"""Names: what the documents of a pack declare and what refers to it, as their schemas say; another name for any of it.

`x-declares` stands on a list or mapping whose items have names, and `x-picks` on a text that is such a name, or one of
several patterns with a name in them, such as `input:{inputs}`.
"""

from packs.formats.names.declaring import (
    NODE_SORTS,
    Home,
    homes_of,
    keys_in,
    noun_of,
    sort_of,
    sorts_in,
    thing_of,
    unique,
)
from packs.formats.names.following import Asked, followed, in_template

__all__ = [
    "NODE_SORTS",
    "Asked",
    "Home",
    "followed",
    "homes_of",
    "in_template",
    "keys_in",
    "noun_of",
    "sort_of",
    "sorts_in",
    "thing_of",
    "unique",
]
