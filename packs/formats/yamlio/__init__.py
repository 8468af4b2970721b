"""The only reader and writer of YAML: plain JSON values in, canonical text out, positions on demand."""

from typing import TYPE_CHECKING

from packs.formats.later import names_of
from packs.formats.yamlio.dialects import CORE_12, GO_YAML, YAML_11, Dialect
from packs.formats.yamlio.events import collector_paused, plain_bytes
from packs.formats.yamlio.places import Mark, locate, place_in
from packs.formats.yamlio.reading import aliased, read
from packs.formats.yamlio.rules import MAX_DEPTH, MAX_SCALAR, UnwritableError

if TYPE_CHECKING:
    from packs.formats.yamlio.writing import Style, write
else:
    __getattr__ = names_of(__name__, {"Style": "writing", "write": "writing"})

__all__ = [
    "CORE_12",
    "GO_YAML",
    "MAX_DEPTH",
    "MAX_SCALAR",
    "YAML_11",
    "Dialect",
    "Mark",
    "Style",
    "UnwritableError",
    "aliased",
    "collector_paused",
    "locate",
    "place_in",
    "plain_bytes",
    "read",
    "write",
]
