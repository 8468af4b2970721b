"""Pictures of a pack's results as SVG, for pages elsewhere. They need no style sheet and no script."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from runs.models import Badge, RunAgent
from runs.results.trends import Trend, ended_runs, set_name, trend_of
from runs.statistics.shares import Shares, spelled

# How wide a letter of 11 pixels is in the font, at most.
LETTER = 7
PAD = 8
HEIGHT = 20
DARK, ACCENT, INK, MUTED, LINE = "#3c4043", "#0a6777", "#1b1c1e", "#5a5b60", "#d5d4cf"
MOST_LETTERS = 40
# The trend as a picture, in pixels, and how many runs it shows.
WIDE, HIGH, ROOM = 360, 120, 12
MOST_POINTS = 30
# Of how many runs of the agent those of its input set are chosen.
MOST_LOOKED_AT = 300
FONT = 'font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"'


def trend_of_badge(badge: Badge) -> Trend:
    """The results that a badge shows."""
    entered = RunAgent.objects.filter(run__version__pack=badge.pack, name=badge.agent).values("run")
    runs = ended_runs(badge.pack).filter(team=badge.pack.team_id, pk__in=entered)
    chosen = [run for run in runs[:MOST_LOOKED_AT] if set_name(run) == badge.input_set]
    return trend_of(chosen[:MOST_POINTS], badge.agent)


def worded(shares: Shares | None) -> str:
    """The pass rate in short; with its coverage where not all trials are judged."""
    if shares is None:
        return "no results"
    covered = f" ({spelled(shares.coverage)} judged)" if shares.missing else ""
    return f"{spelled(shares.pass_rate)} passed{covered}"


def badge_svg(badge: Badge, trend: Trend) -> str:
    """Pack and agent, and the pass rate of the newest run."""
    left = _short(f"{badge.pack} · {badge.agent}")
    right = worded(trend.points[-1].shares if trend.points else None)
    split = 2 * PAD + LETTER * len(left)
    width = split + 2 * PAD + LETTER * len(right)
    parts = (
        f'<rect width="{width}" height="{HEIGHT}" rx="3" fill="{ACCENT}"/>',
        f'<path d="M3 0h{split - 3}v{HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3" fill="{DARK}"/>',
        _text(split / 2, 14, left, "#fff", anchor="middle"),
        _text((split + width) / 2, 14, right, "#fff", anchor="middle"),
    )
    return _svg(width, HEIGHT, f"{left}: {right}", parts)


def trend_svg(badge: Badge, trend: Trend) -> str:
    """The pass rate over the newest runs, with lines where a version is new."""
    points = list(trend.points)
    said = worded(points[-1].shares if points else None)
    title = _short(f"{badge.pack} · {badge.agent}")
    top, floor = 34, HIGH - ROOM
    gap = (WIDE - 2 * ROOM) / max(1, len(points) - 1)
    spots = [
        (ROOM + gap * place, floor - (floor - top) * (point.shares.pass_rate or 0))
        for place, point in enumerate(points)
    ]
    marks = [
        _release(spots[place][0], f"v{point.version}", top, floor)
        for place, point in enumerate(points)
        if place == 0 or points[place - 1].version != point.version
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    parts = (
        f'<rect width="{WIDE}" height="{HIGH}" rx="6" fill="#fff" stroke="{LINE}"/>',
        _text(ROOM, 18, title, INK),
        _text(WIDE - ROOM, 18, said, ACCENT, anchor="end") if len(title) + len(said) < 46 else "",
        *(f'<path d="M{ROOM} {y}h{WIDE - 2 * ROOM}" stroke="{LINE}"/>' for y in (top, floor)),
        *marks,
        f'<polyline points="{line}" fill="none" stroke="{ACCENT}" stroke-width="2"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{ACCENT}"/>' for x, y in spots),
    )
    return _svg(WIDE, HIGH, f"{title}: {said}, over {len(points)} runs", parts)


def _release(x: float, name: str, top: float, floor: float) -> str:
    line = f'<path d="M{x:.1f} {top}V{floor}" stroke="{MUTED}" stroke-dasharray="2 3"/>'
    return line + _text(x + 3, floor - 3, name, MUTED)


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"


def _text(x: float, y: float, text: str, fill: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{fill}" text-anchor="{anchor}" {FONT}>{escape(text)}</text>'


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    named = f'role="img" aria-label={quoteattr(title)}'
    box = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {box} {named}>'
    return f"{head}<title>{escape(title)}</title>{''.join(parts)}</svg>\n"
