"""math_equivalence: two expressions are equal in symbols, or else in value."""

from packs.formats.kinds.contract import Gold, Kind, settings
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import choice, number, text, yes_no

KIND = Kind(
    "Same formula or value",
    Purpose.NUMBER,
    "The formulas or values mean the same.",
    "`1/2` for `0.5`",
    settings(
        {
            "extract_answer": yes_no("Find the answer", "Compare what follows the last delimiter.", default=False),
            "answer_delimiter": text("Delimiter", default="####", trimmed=True),
            "comparison_mode": choice("Comparison", {"symbolic": "As formulas", "numeric": "As numbers"}, trimmed=True),
            "numeric_fallback": yes_no("Then as numbers", "Compare values when the formulas differ.", default=True),
            "tolerance": number("Tolerance", minimum=0, default=1e-6),
        }
    ),
    rule="F5",
    gold=Gold.WHOLE,
)
