"""fuzzy_match: the texts are similar enough."""

from packs.formats.kinds.contract import IGNORE_CASE, TIDY_BLANKS, Gold, Kind, settings, threshold
from packs.formats.schema.kinds import Purpose

KIND = Kind(
    "Similar text",
    Purpose.TEXT,
    "The answer is nearly the expected text.",
    "`Kings Cross` for `King's Cross`",
    settings({"threshold": threshold(0.8), "case_insensitive": IGNORE_CASE, "normalize": TIDY_BLANKS}),
    rule="F1",
    gold=Gold.WHOLE,
)
