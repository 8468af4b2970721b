"""bleu_score: BLEU over blank-separated tokens reaches a threshold."""

from packs.formats.kinds.contract import IGNORE_CASE, SHARED_WORDS, TIDY_BLANKS, Gold, Kind, settings, threshold
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import choice, integer

KIND = Kind(
    "BLEU",
    Purpose.TEXT,
    "Word groups of a reference translation occur in the answer (BLEU).",
    "a translation that scores `0.3` or more",
    settings(
        {
            "threshold": threshold(0.3),
            "max_ngram": integer("Longest word group", minimum=1, default=4),
            "smoothing": choice("Smoothing", {"none": "None", "method1": "Method 1"}, default="none"),
            "case_insensitive": IGNORE_CASE,
            "normalize": TIDY_BLANKS,
        }
    ),
    rule="F6",
    gold=Gold.FIRST,
    weakness=SHARED_WORDS,
)
