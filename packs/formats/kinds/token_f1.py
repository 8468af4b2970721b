"""token_f1: the F1 of blank-separated tokens, counted with multiplicity, reaches a threshold."""

from packs.formats.kinds.contract import SHARED_WORDS, Gold, Kind, settings, threshold
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import yes_no

KIND = Kind(
    "Same words",
    Purpose.TEXT,
    "The answer has many words of the expected text, and few others.",
    "`parcel at York hub` for `the parcel is at the York hub`",
    settings(
        {
            "threshold": threshold(0.5),
            "normalize": yes_no("Normalise", "Apply the default pipeline first.", default=False),
            "remove_articles": yes_no("Remove articles", default=False),
            "remove_punctuation": yes_no("Remove punctuation", default=False),
        }
    ),
    rule="F4",
    gold=Gold.WHOLE,
    weakness=SHARED_WORDS,
)
