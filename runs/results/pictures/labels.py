"""Where the names of points stand, so that none lies on another name or point."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

HIGH = 13
RADIUS = 8
LINES = 7


class Point(NamedTuple):
    """A point and how wide its name is, in pixels."""

    x: float
    y: float
    length: float


class Box(NamedTuple):
    """A part of the picture: from its left top to its right bottom."""

    left: float
    top: float
    right: float
    bottom: float

    def clashes(self, other: "Box") -> bool:
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.bottom <= other.top or other.bottom <= self.top)


def placed(points: Sequence[Point], width: float, height: float) -> Iterator[tuple[float, float] | None]:
    """The middle of each name: above its point, below, beside it or further away; None where none has room."""
    taken = [Box(point.x - RADIUS, point.y - RADIUS, point.x + RADIUS, point.y + RADIUS) for point in points]
    for point in points:
        found = next((box for box in _boxes(point) if _is_free(box, taken, width, height)), None)
        if found is not None:
            taken.append(found)
        yield ((found.left + found.right) / 2, (found.top + found.bottom) / 2) if found else None


def _boxes(point: Point) -> Iterator[Box]:
    beside, above = point.length / 2 + RADIUS + 2, RADIUS + HIGH / 2
    near = [(0, -above), (0, above), (beside, 0), (-beside, 0)]
    far = chain.from_iterable(((0, -above - HIGH * line), (0, above + HIGH * line)) for line in range(1, LINES))
    for across, down in (*near, *far):
        x, y = point.x + across, point.y + down
        yield Box(x - point.length / 2, y - HIGH / 2, x + point.length / 2, y + HIGH / 2)


def _is_free(box: Box, taken: Sequence[Box], width: float, height: float) -> bool:
    is_inside = box.left >= 0 and box.top >= 0 and box.right <= width and box.bottom <= height
    return is_inside and not any(box.clashes(other) for other in taken)
