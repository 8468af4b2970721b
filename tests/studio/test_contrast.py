"""The colours of `static/src/css/tokens.css` against WCAG 2.2 AA, in both themes."""

import re
from math import dist
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


# What eyes without one kind of cone make of linear red, green and blue (Machado et al. 2009, severity 1).
EYES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
}
# The ends of the shades of a cell, and a cell without a verdict.
SHADES = (("pass-heat", "fail-heat"), ("pass-heat", "grey-soft"), ("fail-heat", "grey-soft"))


def oklab(colour, eye):
    """A colour as an eye sees it, where distances are about those that people see."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    r, g, b = (max(0.0, sum(weight * part for weight, part in zip(row, linear, strict=True))) for row in eye)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    middle = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("pair", SHADES)
def test_shades_of_cells_differ_for_colour_blind_eyes(theme, eye, pair):
    one, other = (oklab(colours(theme)[name], EYES[eye]) for name in pair)
    assert dist(one, other) >= 0.09


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("shade", ["pass-heat", "fail-heat"])
def test_numbers_stand_out_on_shades(theme, shade):
    values = colours(theme)
    lighter, darker = sorted((luminance(values["text"]), luminance(values[shade])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5
