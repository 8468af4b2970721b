"""The parts of an SVG picture. Texts come from users, so each is escaped here."""

from collections.abc import Iterable
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

# How wide a letter of 11 pixels is in the font, at most.
LETTER = 7
FONT = 'font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"'
# What XML 1.0 cannot carry at all.
UNPRINTABLE = dict.fromkeys([*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), 0xFFFE, 0xFFFF], "\ufffd")


class Paints(NamedTuple):
    """The colours of a picture; `passed` and `failed` are the ends of the shades of a cell."""

    ink: str
    muted: str
    line: str
    accent: str
    surface: str
    passed: tuple[int, int, int]
    failed: tuple[int, int, int]
    unknown: str


LIGHT = Paints("#1b1c1e", "#5a5b60", "#d5d4cf", "#0a6777", "#ffffff", (88, 183, 192), (255, 192, 143), "#ecece8")


def shade(paints: Paints, share: float) -> str:
    """The colour of a cell of which such a share passed."""
    mixed = (round(low + (high - low) * share) for low, high in zip(paints.failed, paints.passed, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def printable(value: str) -> str:
    return value.translate(UNPRINTABLE)


def short(value: str, letters: int) -> str:
    return value if len(value) <= letters else f"{value[: letters - 1]}…"


def text(x: float, y: float, value: str, fill: str, anchor: str = "start") -> str:
    said = escape(printable(value))
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" text-anchor="{anchor}" {FONT}>{said}</text>'


def box(x: float, y: float, width: float, height: float, fill: str, title: str = "") -> str:
    """A filled rectangle; `title` says what it stands for where a pointer rests on it."""
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{max(0.0, height):.1f}" fill="{fill}"'
    return f"<rect {place}><title>{escape(printable(title))}</title></rect>" if title else f"<rect {place}/>"


def line(points: Iterable[tuple[float, float]], stroke: str, width: float = 1, dashes: str = "") -> str:
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{drawn}" fill="none" stroke="{stroke}" stroke-width="{width}"{dashed}/>'


def dot(x: float, y: float, fill: str, stroke: str = "none", radius: float = 4) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="{stroke}" stroke-width="1.5"/>'


def picture(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """A whole picture; `title` says to those who do not see it what it shows."""
    named = f'role="img" aria-label={quoteattr(printable(title))}'
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {named}>'
    return f"{head}<title>{escape(printable(title))}</title>{''.join(parts)}</svg>\n"
