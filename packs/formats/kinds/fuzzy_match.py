"""fuzzy_match: the texts are similar enough."""

from packs.formats.kinds.contract import IGNORE_CASE, TIDY_BLANKS, Gold, Kind, settings, threshold

KIND = Kind(
    "Similar text",
    settings({"threshold": threshold(0.8), "case_insensitive": IGNORE_CASE, "normalize": TIDY_BLANKS}),
    rule="F1",
    gold=Gold.WHOLE,
)
