"""exact_match: the texts are the same, byte for byte."""

from packs.formats.kinds.contract import Gold, Kind
from packs.formats.schema.kinds import Purpose

KIND = Kind(
    "Equals the text",
    Purpose.TEXT,
    "The answer is just the expected text, to the letter.",
    "`York` is `York`, and not `york`",
    gold=Gold.WHOLE,
)
