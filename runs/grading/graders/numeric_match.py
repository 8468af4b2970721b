"""numeric_match: the numbers are equal, or within any of the tolerances given (challenge-pack d.3)."""

import math
import re

from packs.formats.kinds import Settings
from runs.grading.graders.comparison import by_settings
from runs.grading.graders.contract import Judgement, decided, evaluator_error, pack_error
from runs.grading.graders.texts import strip_currency, trim

MAX_CHARACTERS = 1_000_000
LEGACY_TOLERANCE = 0.001

_NUMBER_IN_TEXT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_HEXADECIMAL = re.compile(r"[+-]?0[xX][0-9a-fA-F_.]+[pP][+-]?[0-9]+")
_INFINITY = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)


def read_number(text: str) -> float | None:
    """The number that a whole text is, None when it is none or lies beyond what a double holds."""
    text = trim(text)
    if not text.isascii() or len(text) > MAX_CHARACTERS:
        return None
    try:
        if _HEXADECIMAL.fullmatch(text):
            return float.fromhex(text.replace("_", ""))
        number = float(text)
    except (ValueError, OverflowError):
        return None
    return None if math.isinf(number) and not _INFINITY.fullmatch(text) else number


def find_number(text: str) -> float | None:
    """The first number in a text, currencies, commas and percent signs put aside."""
    match = _NUMBER_IN_TEXT.search(strip_currency(text).replace(",", "").replace("%", ""))
    return read_number(match.group()) if match else None


def _rounded(number: float, digits: int) -> float:
    if number == 0 or not math.isfinite(number):
        return number
    shift = digits - (math.floor(math.log10(abs(number))) + 1)
    factor = 10.0**shift if abs(shift) <= 300 else None
    if factor is None:
        return number
    scaled = number * factor
    return math.copysign(math.floor(abs(scaled) + 0.5), scaled) / factor if math.isfinite(scaled) else number


def _tolerances(settings: Settings) -> tuple[float | None, float | None]:
    """The absolute and the relative tolerance; the older spelling gives one of them."""
    tolerance, mode = settings["tolerance"], settings["tolerance_mode"]
    if tolerance is None and not mode:
        return settings["absolute_tolerance"], settings["relative_tolerance"]
    tolerance = LEGACY_TOLERANCE if tolerance is None else tolerance
    return (tolerance, None) if mode == "absolute" else (None, tolerance)


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    read = find_number if settings["extract_number"] else read_number
    absolute, relative = _tolerances(settings)
    wanted, found = read(expected), read(actual)
    if wanted is None:
        return pack_error("the expected value is not a number")
    if found is None:
        return evaluator_error("the value is not a number")
    digits = settings["significant_digits"]
    if digits is not None:
        found, wanted = _rounded(found, digits), _rounded(wanted, digits)
    difference = abs(found - wanted)
    share = difference / abs(wanted) if wanted else (math.inf if difference else 0.0)
    limits = [(difference, absolute), (share, relative)]
    if absolute is None and relative is None:
        passes = found == wanted
    else:
        passes = any(limit is not None and measured <= limit for measured, limit in limits)
    return decided(
        passes,
        f"{found:g} is not within tolerance of {wanted:g}",
        actual_number=str(found),
        expected_number=str(wanted),
    )


grade = by_settings(compare)
