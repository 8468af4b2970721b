"""numeric_match: the numbers are equal, or within any of the tolerances given."""

from collections.abc import Iterator
from dataclasses import replace

from packs.formats.findings import Finding, Path, Rule
from packs.formats.kinds.contract import Gold, Kind, Settings, settings
from packs.formats.kinds.settings import NEGATIVE
from packs.formats.schema.kinds import Purpose
from packs.formats.schema.pieces import choice, integer, number, yes_no

MODES = {"absolute": "Absolute", "relative": "Relative"}

TOLERANCES_MIXED = Rule(
    "challenge_pack.E557",
    "Two ways of stating a tolerance are mixed.",
    "Keep absolute_tolerance and relative_tolerance, and remove tolerance and tolerance_mode.",
    "F2",
)
TOLERANCE_MODE_UNKNOWN = Rule(
    "challenge_pack.E558", "The tolerance mode {value!r} does not exist.", "Use absolute or relative.", "F2"
)


def check(stated: Settings, path: Path) -> Iterator[Finding]:
    """The older way of stating a tolerance."""
    mode, tolerance = stated.get("tolerance_mode"), stated.get("tolerance")
    is_legacy = mode is not None or tolerance is not None
    if is_legacy and stated.keys() & {"absolute_tolerance", "relative_tolerance"}:
        yield TOLERANCES_MIXED.at(path)
    elif mode is not None and mode not in MODES:
        yield TOLERANCE_MODE_UNKNOWN.at(path, value=mode)
    elif tolerance is not None and tolerance < 0:
        finding = NEGATIVE.at((*path, "tolerance"), key="tolerance")
        # The format reports the legacy tolerance under the name of the field that it stands for.
        stands_for = replace(finding, path=(*path, f"{mode or 'relative'}_tolerance"))
        yield replace(finding, field=stands_for.field_path)


KIND = Kind(
    "Same number",
    Purpose.NUMBER,
    "The answer is the expected number, or within a tolerance of it.",
    "`3.14` for `3.1416`, tolerance `0.01`",
    settings(
        {
            "absolute_tolerance": number("Absolute tolerance", minimum=0),
            "relative_tolerance": number("Relative tolerance", "Share of the expected number.", minimum=0),
            "significant_digits": integer("Significant digits", "Round both numbers first.", minimum=1),
            "extract_number": yes_no("Find the number", "Take the first number in the text.", default=False),
            "tolerance_mode": choice("Tolerance mode (old)", MODES, trimmed=True),
            "tolerance": number("Tolerance (old)", "0.001 where only the old mode is given.", minimum=0),
        }
    ),
    rule="F2",
    check=check,
    own=frozenset({"tolerance_mode", "tolerance"}),
    gold=Gold.WHOLE,
)
