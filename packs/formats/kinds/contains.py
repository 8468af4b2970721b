"""contains: the expected text occurs in the target."""

from packs.formats.kinds.contract import Kind
from packs.formats.schema.kinds import Purpose

KIND = Kind(
    "Contains the text",
    Purpose.TEXT,
    "The expected text occurs somewhere in the answer.",
    "`hub 7` occurs in `It is at hub 7.`",
    weakness="A text that contains the answer passes, whatever else it says; compare the whole answer instead.",
)
