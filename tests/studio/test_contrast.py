"""The colours of `static/src/css/tokens.css` against WCAG 2.2 AA, in both themes."""

import re
from pathlib import Path

import pytest
from django.conf import settings

TOKENS = (Path(settings.BASE_DIR) / "static" / "src" / "css" / "tokens.css").read_text()
TONES = ("green", "red", "orange", "blue", "violet", "amber")
# Foreground, background, least ratio: 4.5 for text, 3 for the edges of controls and the focus ring.
PAIRS = [
    *((text, ground, 4.5) for text in ("text", "muted", "faint", "accent") for ground in ("bg", "surface", "sunken")),
    *((text, ground, 4.5) for text in ("text", "muted") for ground in ("hover", "grey-soft")),
    *((tone, f"{tone}-soft", 4.5) for tone in TONES),
    *((tone, ground, 4.5) for tone in TONES for ground in ("bg", "surface")),
    *(("text", f"{tone}-soft", 4.5) for tone in (*TONES, "accent")),
    ("accent", "accent-soft", 4.5),
    ("on-accent", "accent", 4.5),
    ("on-accent", "accent-strong", 4.5),
    *((edge, ground, 3.0) for edge in ("line-strong", "focus") for ground in ("bg", "surface")),
]


def colours(theme):
    found = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", TOKENS)
    return {name: light if theme == "light" else dark for name, light, dark in found}


def luminance(colour):
    """Relative luminance as WCAG 2.2 defines it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("front", "ground", "least"), PAIRS)
def test_text_and_controls_stand_out(theme, front, ground, least):
    values = colours(theme)
    bright, dim = sorted((luminance(values[front]), luminance(values[ground])), reverse=True)
    assert (bright + 0.05) / (dim + 0.05) >= least
