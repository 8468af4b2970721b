"""Pictures of a pack's results as SVG, for pages elsewhere. They need no style sheet and no script."""

from runs.models import Badge, RunAgent
from runs.models.proofs import standing_of_version
from runs.results.pictures.svg import LETTER, LIGHT, picture, short, text
from runs.results.trends import Trend, ended_runs, set_name, trend_of
from runs.statistics.shares import Shares, spelled

PAD = 8
HEIGHT = 20
DARK = "#3c4043"
MOST_LETTERS = 40
# The trend as a picture, in pixels, and how many runs it shows.
WIDE, HIGH, ROOM = 360, 120, 12
MOST_POINTS = 30
# Of how many runs of the agent those of its input set are chosen.
MOST_LOOKED_AT = 300


def trend_of_badge(badge: Badge) -> Trend:
    """The results that a badge shows."""
    entered = RunAgent.objects.kept().filter(run__version__pack=badge.pack, name=badge.agent).values("run")
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
    return two_parts(f"{badge.pack} · {badge.agent}", worded(trend.points[-1].shares if trend.points else None))


def proof_svg(badge: Badge, input_set: str = "") -> str:
    """How many cases of the newest version, or of one input set of it, are proven."""
    version = badge.pack.versions.order_by("-number").first()
    standing = standing_of_version(version, input_set) if version else None
    found = f"{standing.proven} of {len(standing.states)} cases proven" if standing else "no version"
    return two_parts(f"{badge.pack} · {input_set}" if input_set else str(badge.pack), found)


def two_parts(left: str, right: str) -> str:
    """A badge: what it is about, and what is so."""
    left = short(left, MOST_LETTERS)
    split = 2 * PAD + LETTER * len(left)
    width = split + 2 * PAD + LETTER * len(right)
    parts = (
        f'<rect width="{width}" height="{HEIGHT}" rx="3" fill="{LIGHT.accent}"/>',
        f'<path d="M3 0h{split - 3}v{HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3" fill="{DARK}"/>',
        text(split / 2, 14, left, "#fff", anchor="middle"),
        text((split + width) / 2, 14, right, "#fff", anchor="middle"),
    )
    return picture(width, HEIGHT, f"{left}: {right}", parts)


def trend_svg(badge: Badge, trend: Trend) -> str:
    """The pass rate over the newest runs, with lines where a version is new."""
    points = list(trend.points)
    said = worded(points[-1].shares if points else None)
    title = short(f"{badge.pack} · {badge.agent}", MOST_LETTERS)
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
        f'<rect width="{WIDE}" height="{HIGH}" rx="6" fill="#fff" stroke="{LIGHT.line}"/>',
        text(ROOM, 18, title, LIGHT.ink),
        text(WIDE - ROOM, 18, said, LIGHT.accent, anchor="end") if len(title) + len(said) < 46 else "",
        *(f'<path d="M{ROOM} {y}h{WIDE - 2 * ROOM}" stroke="{LIGHT.line}"/>' for y in (top, floor)),
        *marks,
        f'<polyline points="{line}" fill="none" stroke="{LIGHT.accent}" stroke-width="2"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{LIGHT.accent}"/>' for x, y in spots),
    )
    return picture(WIDE, HIGH, f"{title}: {said}, over {len(points)} runs", parts)


def _release(x: float, name: str, top: float, floor: float) -> str:
    line = f'<path d="M{x:.1f} {top}V{floor}" stroke="{LIGHT.muted}" stroke-dasharray="2 3"/>'
    return line + text(x + 3, floor - 3, name, LIGHT.muted)
