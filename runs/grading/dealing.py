"""Which of many trials people review, and who gets which: drawn and dealt the same way by the same seed."""

from collections.abc import Mapping, Sequence
from random import Random


def drawn(rows: Sequence[int], amount: int, seed: int) -> list[int]:
    """So many of the rows, drawn at random, in their own order; all where there are no more."""
    chosen = set(Random(seed).sample(rows, min(amount, len(rows))))
    return [row for row in rows if row in chosen]


def dealt(rows: Sequence[int], shares: Mapping[int, float], needed: int, seed: int) -> dict[int, list[int]]:
    """For each row `needed` people, so that each gets of all places about what their share is of all shares.

    `shares` are by the id of the person and above 0. Nobody gets a row twice; with fewer people than places, all of
    them get it.
    """
    order, random = list(rows), Random(seed)
    random.shuffle(order)
    whole, count = sum(shares.values()), min(needed, len(shares))
    got = dict.fromkeys(shares, 0)
    found: dict[int, list[int]] = {}
    for at, row in enumerate(order, start=1):
        lacking = {person: share / whole * at * count - got[person] for person, share in shares.items()}
        found[row] = sorted(sorted(shares, key=lambda person: -lacking[person])[:count])
        for person in found[row]:
            got[person] += 1
    return found
