"""How numbers are spread: the steps of a histogram that read well on an axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

# The most bars of a histogram.
MOST = 40
STEPS = (1, 2, 5, 10)
# So many different whole numbers are counted one by one.
FEW = 12


@dataclass(frozen=True, slots=True)
class Steps:
    """Equal steps from `start` on: step i holds values from `start + i * width` on, the last also its end."""

    start: float
    width: float
    count: int

    def place(self, value: float) -> int:
        """The step of a value that lies within them."""
        return max(0, min(self.count - 1, floor((value - self.start) / self.width)))

    @property
    def edges(self) -> list[tuple[float, float]]:
        """From where to where each step goes."""
        return [(self.edge(place), self.edge(place + 1)) for place in range(self.count)]

    def edge(self, place: int) -> float:
        # Sums such as 0.1 + 0.2 are shown, so they are rounded to what the width states.
        digits = max(0, 1 - floor(log10(self.width)))
        return round(self.start + place * self.width, digits)


def steps(low: float, high: float, most: int = MOST) -> Steps:
    """At most so many steps of 1, 2 or 5 times a power of ten that hold all values from low to high."""
    if low == high:
        width = power_below(abs(low)) if low else 1.0
        return Steps(floor(low / width) * width, width, 1)
    power = power_below((high - low) / most)
    for factor in STEPS:
        width = factor * power
        start = floor(low / width) * width
        count = max(1, ceil((high - start) / width))
        if count <= most:
            return Steps(start, width, count)
    return Steps(start, width * 2, ceil((high - start) / (width * 2)))


def few_values(numbers: Sequence[float]) -> list[float]:
    """The different numbers in order, where each can be counted by itself: few whole ones, or one alone. Else empty."""
    found = set(numbers)
    if len(found) == 1 or (len(found) <= FEW and all(number.is_integer() for number in found)):
        return sorted(found)
    return []


def steps_of(numbers: Sequence[float]) -> Steps:
    """Steps that hold all numbers; whole ones are not cut into parts."""
    low, high = min(numbers), max(numbers)
    if all(number.is_integer() for number in numbers):
        return steps(low, high + 1, min(MOST, int(high - low) + 1))
    return steps(low, high)


def power_below(number: float) -> float:
    """The largest power of ten that is no larger than a positive number."""
    return 10.0 ** floor(log10(number))


def counted(found: Steps, values: Sequence[float]) -> list[int]:
    """How many values lie in each step."""
    counts = [0] * found.count
    for value in values:
        counts[found.place(value)] += 1
    return counts
