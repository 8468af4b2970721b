"""How numbers of results read."""

from runs.statistics.sums import Sum


def in_digits(number: float | None) -> str:
    """A number with as many digits as tell something."""
    return "–" if number is None else f"{number:.3g}" if abs(number) < 999.5 else f"{number:,.0f}"


def dollars(amount: float | None) -> str:
    """US dollars; of less than one, parts of a cent too."""
    return "–" if amount is None else f"${amount:.4f}" if amount < 1 else f"${amount:,.2f}"


def lasting(seconds: int) -> str:
    """Whole seconds in the two largest units."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes_left = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes_left} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def spent(words: str, total: Sum) -> str:
    """A sum in words, as the least where parts of it are not known."""
    if total.known is None or not total.unknown:
        return words
    return f"at least {words}; not known of {total.unknown:,} trial{'' if total.unknown == 1 else 's'}"
