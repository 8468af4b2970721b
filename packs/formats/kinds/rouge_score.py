"""rouge_score: the F score of a ROUGE variant reaches a threshold, best over the references."""

from packs.formats.kinds.contract import IGNORE_CASE, SHARED_WORDS, TIDY_BLANKS, Gold, Kind, settings, threshold
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import choice, number

KIND = Kind(
    "ROUGE",
    Purpose.TEXT,
    "Words of a reference summary occur in the answer (ROUGE).",
    "a summary that scores `0.3` or more",
    settings(
        {
            "threshold": threshold(0.3),
            "variant": choice(
                "Variant",
                {"rouge-1": "Single words", "rouge-2": "Word pairs", "rouge-l": "Longest common subsequence"},
                default="rouge-l",
            ),
            "beta": number("Beta", "Weight of recall against precision.", exclusiveMinimum=0, default=1),
            "case_insensitive": IGNORE_CASE,
            "normalize": TIDY_BLANKS,
        }
    ),
    rule="F7",
    gold=Gold.FIRST,
    weakness=SHARED_WORDS,
)
