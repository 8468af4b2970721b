"""Charts as SVG: intervals, cost against quality, and how numbers are spread. Each is drawn from its own table."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from runs.results.charts import Chart, Value
from runs.results.pictures.labels import Point, placed
from runs.results.pictures.svg import LETTER, LIGHT, Paints, box, dot, line, picture, short, text
from runs.results.spelling import in_digits
from runs.statistics.shares import spelled

WIDE = 720
LINE = 28
NAME = 26
TOP, BOTTOM, END = 12, 26, 64
HIGH = 260
BAR_ROOM = 74
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
Row = Mapping[str, Any]


def drawn(chart: Chart, paints: Paints = LIGHT) -> str:
    """The picture of a chart; empty for a kind that is drawn by pages alone."""
    draw = DRAWINGS.get(chart.drawing)
    if draw is None:
        return ""
    width, height, parts = draw(chart, rows_of(chart), paints)
    back = box(0, 0, width, height, paints.surface)
    return picture(width, height, f"{chart.title}. {chart.about}", [back, *parts])


def rows_of(chart: Chart) -> list[dict[str, Value]]:
    """The rows by the keys of their columns; a row that ends early has no value there."""
    keys = [column.key for column in chart.columns]
    return [dict(zip(keys, row, strict=False)) for row in chart.rows]


def _room(names: list[str]) -> float:
    """Room for names at the left."""
    return 16 + LETTER * min(NAME, max(map(len, names), default=0))


def _share_axis(left: float, right: float, top: float, floor: float, paints: Paints) -> Iterator[str]:
    for tick in TICKS:
        x = left + (right - left) * tick
        yield line([(x, top), (x, floor)], paints.line)
        yield text(x, floor + 16, f"{tick:.0%}".replace("%", " %"), paints.muted, "middle")


def _intervals(chart: Chart, rows: list[dict[str, Any]], paints: Paints) -> tuple[float, float, list[str]]:
    """A dot and a line for each row."""
    left, right = _room([row["label"] for row in rows]), WIDE - END
    floor = TOP + LINE * len(rows)
    parts = list(_share_axis(left, right, TOP, floor, paints))
    for at, row in enumerate(rows):
        y = TOP + LINE * (at + 0.5)
        x = left + (right - left) * row["value"]
        parts.append(text(left - 8, y + 4, short(row["label"], NAME), paints.ink, "end"))
        if row.get("low") is not None:
            ends = (left + (right - left) * row[name] for name in ("low", "high"))
            parts.append(line([(end, y) for end in ends], paints.accent, 2.5))
        parts += [dot(x, y, paints.accent, radius=5), text(right + 10, y + 4, spelled(row["value"], 1), paints.ink)]
    return WIDE, floor + BOTTOM, parts


def _tradeoff(chart: Chart, rows: list[dict[str, Any]], paints: Paints) -> tuple[float, float, list[str]]:
    """A dot a row, and a line through the efficient ones."""
    left, right, top, floor = 56, WIDE - 24, 24, HIGH - 40
    most = max(row["cost"] for row in rows) * 1.15 or 1

    def place(row: Row) -> tuple[float, float]:
        return left + (right - left) * row["cost"] / most, floor - (floor - top) * row["quality"]

    parts = []
    for tick in TICKS:
        y = floor - (floor - top) * tick
        parts += [line([(left, y), (right, y)], paints.line), text(left - 6, y + 4, f"{tick:.0%}", paints.muted, "end")]
        x = left + (right - left) * tick
        parts.append(text(x, floor + 16, in_digits(most * tick), paints.muted, "middle"))
    parts.append(text((left + right) / 2, HIGH - 6, chart.columns[1].title, paints.muted, "middle"))
    front = sorted((row for row in rows if row["front"] == "yes"), key=lambda row: row["cost"])
    parts.append(line(map(place, front), paints.accent, dashes="4 3"))
    names = [short(row["label"], NAME) for row in rows]
    points = [Point(*place(row), LETTER * len(name)) for row, name in zip(rows, names, strict=True)]
    for row, point in zip(rows, points, strict=True):
        parts.append(
            dot(point.x, point.y, paints.accent if row["front"] == "yes" else paints.surface, paints.accent, 6)
        )
    for name, found in zip(names, placed(points, WIDE, floor), strict=True):
        parts += [text(found[0], found[1] + 4, name, paints.ink, "middle")] if found else []
    return WIDE, HIGH, parts


def _bins(chart: Chart, rows: list[dict[str, Any]], paints: Paints) -> tuple[float, float, list[str]]:
    """How many rows lie in each range: a histogram for each series, one above the other on the same axis."""
    series, left, right = chart.columns[2:], 46, WIDE - 16
    wide = (right - left) / len(rows)
    most = max((row[column.key] for row in rows for column in series), default=0) or 1
    parts = []
    for number, column in enumerate(series):
        top = TOP + BAR_ROOM * number + 16
        floor = TOP + BAR_ROOM * (number + 1) - 4
        parts += [
            line([(left, floor), (right, floor)], paints.line),
            text(left - 6, floor, "0", paints.muted, "end"),
            text(left - 6, top + 8, f"{most}", paints.muted, "end"),
            text(right, top - 4, short(column.title, NAME), paints.ink, "end"),
        ]
        for at, row in enumerate(rows):
            high = (floor - top) * row[column.key] / most
            said = f"{column.title}: {row[column.key]} from {in_digits(row['from'])} to {in_digits(row['to'])}"
            parts.append(box(left + wide * at + 0.5, floor - high, wide - 1, high, paints.accent, said))
    bottom = TOP + BAR_ROOM * len(series)
    ticks = range(0, len(rows), max(1, len(rows) // 6))
    for at in (tick for tick in ticks if left + wide * tick < right - END):
        parts.append(text(left + wide * at, bottom + 14, in_digits(rows[at]["from"]), paints.muted, "middle"))
    parts.append(text(right, bottom + 14, in_digits(rows[-1]["to"]), paints.muted, "end"))
    return WIDE, bottom + BOTTOM, parts


DRAWINGS: dict[str, Callable[[Chart, list[dict[str, Any]], Paints], tuple[float, float, list[str]]]] = {
    "intervals": _intervals,
    "tradeoff": _tradeoff,
    "bins": _bins,
}
