"""boolean_assert: both texts read as the same yes or no."""

from packs.formats.kinds.contract import Gold, Kind
from packs.formats.schema.kinds import Purpose

KIND = Kind(
    "Same yes or no",
    Purpose.TEXT,
    "The answer says yes or no as expected.",
    "`literal:yes`, and the answer is `true`",
    gold=Gold.WHOLE,
)
