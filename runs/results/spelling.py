"""How numbers of results read."""


def in_digits(number: float | None) -> str:
    """A number with as many digits as tell something."""
    return "–" if number is None else f"{number:.3g}" if abs(number) < 999.5 else f"{number:,.0f}"
