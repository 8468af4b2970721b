"""Dates in the spellings that answers and references use, as calendar days (agentv F.11).

ECMAScript's own reading comes first: ISO 8601, month names in English, and month first in `a/b/yyyy`. Only what it does
not take is read by the stated formats.
"""

import re
from collections.abc import Sequence
from datetime import date

_ISO = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ]\d{2}:\d{2}.*)?$")
_SLASHED = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?:[ T,].*)?$")
_YEAR_FIRST = re.compile(r"(\d{4})/(\d{1,2})(?:/(\d{1,2}))?(?:[ T,].*)?$")
_DAY_NAMED = re.compile(r"(?:[a-z]{3,9},?\s+)?(\d{1,2})(?:[\s-]+)([a-z]{3,9})\.?[\s,-]+(\d{4})\b.*$", re.IGNORECASE)
_MONTH_NAMED = re.compile(
    r"(?:[a-z]{3,9},?\s+)??([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})\b.*$", re.IGNORECASE
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def day_of(value: object, formats: Sequence[str] = ()) -> date | None:
    """The calendar day of a text; None where it is no date."""
    if not isinstance(value, str):
        return None
    text = value.strip()
    return _native(text) or _numbered(text, formats)


def _native(text: str) -> date | None:
    """What ECMAScript itself takes for a date."""
    if found := _ISO.match(text) or _YEAR_FIRST.match(text):
        return _day(found[1], found[2], found[3] or "1")
    if found := _SLASHED.match(text):
        return _day(found[4], found[1], found[3])
    if found := _DAY_NAMED.match(text):
        return _named(found[3], found[2], found[1])
    if found := _MONTH_NAMED.match(text):
        return _named(found[3], found[1], found[2])
    return None


def _numbered(text: str, formats: Sequence[str]) -> date | None:
    """`a/b/yyyy` or `a-b-yyyy`: by the stated formats, else by which number can be no month; month first when open."""
    found = _SLASHED.match(text)
    if found is None:
        return None
    first, second, year = found[1], found[3], found[4]
    is_day_first = _is_day_first(formats)
    if is_day_first is None:
        is_day_first = int(first) > 12
    return _day(year, second, first) if is_day_first else _day(year, first, second)


def _is_day_first(formats: Sequence[str]) -> bool | None:
    """What the formats agree on; None where they state nothing or both."""
    reported = " ".join(formats)
    orders = {False for way in ("MM/DD", "MM-DD") if way in reported} | {
        True for way in ("DD/MM", "DD-MM") if way in reported
    }
    return orders.pop() if len(orders) == 1 else None


def _named(year: str, month: str, day: str) -> date | None:
    known = month[:3].lower()
    return _day(year, str(_MONTHS.index(known) + 1), day) if known in _MONTHS else None


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
