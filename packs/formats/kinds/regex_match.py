"""regex_match: the expected pattern of the RE2 dialect is found somewhere in the target."""

from packs.formats.kinds.contract import Kind, Syntax
from packs.formats.schema.kinds import Purpose

KIND = Kind(
    "Matches the pattern",
    Purpose.TEXT,
    "A pattern is found somewhere in the answer.",
    "`PX-[0-9]+` is found in `Parcel PX-41`",
    syntax=Syntax.PATTERN,
    evidence="regex_match",
)
