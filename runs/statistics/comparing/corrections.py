"""Chances of several comparisons at once: with ten equal agents, one in twenty looks different by itself."""

from collections.abc import Sequence


def holm(chances: Sequence[float]) -> list[float]:
    """P-values corrected so that any false alarm among them stays as rare as one alone would be (Holm 1979).

    The smallest is multiplied by their number, the next by one less, and so on; none falls below a smaller one's.
    """
    found, least = [0.0] * len(chances), 0.0
    for rank, place in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        least = max(least, min(1.0, chances[place] * (len(chances) - rank)))
        found[place] = least
    return found
