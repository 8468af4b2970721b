"""chrf_score: the character n-gram F score reaches a threshold, best over the references."""

from packs.formats.kinds.contract import IGNORE_CASE, TIDY_BLANKS, Gold, Kind, settings, threshold
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import integer, number

KIND = Kind(
    "chrF",
    Purpose.TEXT,
    "Character groups of a reference translation occur in the answer (chrF).",
    "a translation that scores `0.3` or more",
    settings(
        {
            "threshold": threshold(0.3),
            "char_order": integer("Longest character group", minimum=1, default=6),
            "beta": number("Beta", "Weight of recall against precision.", exclusiveMinimum=0, default=2),
            "case_insensitive": IGNORE_CASE,
            "normalize": TIDY_BLANKS,
        }
    ),
    rule="F8",
    gold=Gold.FIRST,
    weakness="Shared letters are counted, not what they say; add a check of the facts.",
)
