"""Cells of a CSV file that a spreadsheet would run, made harmless on the way out and themselves again on the way in."""

import re
import unicodedata

# What spreadsheets take for a text, as they do where a person types it.
MARK = "'"
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
# White space, and characters that have no width, which programs may drop before they look at a cell.
_BLANK = re.compile("[\\s\0\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]*")
_SIGNS = frozenset("=+-@\N{MINUS SIGN}")


def harmless(text: str) -> str:
    """A text as a cell of a file: marked where a spreadsheet would run it. `original` takes the mark away again.

    A text that begins with marks before a formula gets one more, so that no text is lost.
    """
    return MARK + text if _runs(text.lstrip(MARK)) else text


def original(cell: str) -> str:
    """The text that `harmless` made this cell of, also where the cell's line ends have changed since."""
    return cell[1:] if cell.startswith(MARK) and _runs(cell.lstrip(MARK)) else cell


def _runs(text: str) -> bool:
    """Whether a cell may run: it begins as a formula, wide and small signs included, and is no plain number."""
    if not text or _NUMBER.fullmatch(text):
        return False
    first = _BLANK.sub("", text, count=1)[:1]
    return text[0] in "\t\r\n" or unicodedata.normalize("NFKC", first) in _SIGNS
