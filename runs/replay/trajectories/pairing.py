"""Finding a partner for each of some things among others, so that no two share one."""

from collections.abc import Sequence


def can_pair(fits: Sequence[Sequence[int]]) -> bool:
    """Whether each thing can have a partner of its own; `fits` lists for each the numbers of those that it may have.

    Augmenting paths (Berge 1957), found without recursion, so that long lists cannot exhaust the stack.
    """
    holder: dict[int, int] = {}
    place: dict[int, int] = {}
    return all(_find_place(thing, fits, holder, place) for thing in range(len(fits)))


def _find_place(thing: int, fits: Sequence[Sequence[int]], holder: dict[int, int], place: dict[int, int]) -> bool:
    """Give a thing a partner, moving others to further partners of theirs where needed."""
    reached_from: dict[int, int] = {}
    waiting = [thing]
    for current in waiting:
        for partner in fits[current]:
            if partner in reached_from:
                continue
            reached_from[partner] = current
            if partner not in holder:
                _move(partner, reached_from, holder, place)
                return True
            waiting.append(holder[partner])
    return False


def _move(partner: int | None, reached_from: dict[int, int], holder: dict[int, int], place: dict[int, int]) -> None:
    while partner is not None:
        mover = reached_from[partner]
        holder[partner] = mover
        place[mover], partner = partner, place.get(mover)
