"""How many examples a test draws."""

from hypothesis import settings

# What the numbers in tests are meant for: the profile that people have, who look at what chance finds.
USUAL = 100


def drawn(count: int) -> int:
    """So many examples, or as much less of them as the profile that is loaded draws."""
    return max(1, count * settings.default.max_examples // USUAL)
