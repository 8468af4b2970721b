"""Text on a terminal: nothing that names or contents of packs say can move its cursor, colour it or fake a line."""

import re
from typing import Any

import orjson

# Controls, the breaks of lines that Unicode has beside LF, and marks that turn the direction of text around.
_BEYOND_ASCII = "\x7f-\x9f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069"
_CONTROL = re.compile(f"[\x00-\x08\x0a-\x1f{_BEYOND_ASCII}\ud800-\udfff]")

# What commands end with: all is fine, something was found, wrong usage, trouble of the machine.
FINE, FINDINGS, USAGE, MACHINERY = range(4)


def plain(line: str) -> str:
    """A line with escapes in place of all that is no character to look at; a line break in it is one of them."""
    return _CONTROL.sub(_escape, line)


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape", "surrogatepass").decode()


def json_text(value: Any) -> str:
    """A JSON value as indented text, which a terminal shows as it is."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    # What JSON leaves as it is.
    return re.sub(f"[{_BEYOND_ASCII}]", lambda match: f"\\u{ord(match[0]):04x}", text)
