"""Tests that depend on each other (agentv B.6): what only all tests of a suite together can tell."""

from collections.abc import Iterator, Mapping, Sequence

from packs.formats.agentv.notes import NOT_RUNNABLE
from packs.formats.agentv.reading import listing
from packs.formats.document import InputSet
from packs.formats.findings import Finding, Path

GRAPH_RULES = (NOT_RUNNABLE,)


def check_graph(input_set: InputSet) -> Iterator[Finding]:
    """Ids that a test depends on must be there, and no test may wait for itself; paths start at the suite."""
    known = {case.key: index for index, case in reversed(list(enumerate(input_set.cases)))}
    needs: dict[str, list[str]] = {}
    for index, case in enumerate(input_set.cases):
        stated = listing(case.document.get("depends_on"))
        needs.setdefault(case.key, [key for key in stated if isinstance(key, str) and key in known])
        for position, key in enumerate(stated):
            if isinstance(key, str) and key not in known:
                place: Path = ("cases", index, "depends_on", position)
                yield NOT_RUNNABLE.at(place, reason=f"there is no test {key[:120]!r}")
    for key in waiting_in_circles(needs):
        if key not in needs[key]:
            place = ("cases", known[key], "depends_on")
            yield NOT_RUNNABLE.at(place, reason=f"{key[:120]!r} waits for itself by way of others")


def waiting_in_circles(needs: Mapping[str, Sequence[str]]) -> list[str]:
    """The keys that can never begin, because each waits for another of them; in the order given."""
    waiting = {key: set(others) for key, others in needs.items()}
    users: dict[str, list[str]] = {}
    for key, others in waiting.items():
        for other in others:
            users.setdefault(other, []).append(key)
    free = [key for key, others in waiting.items() if not others]
    while free:
        done = free.pop()
        del waiting[done]
        for key in users.get(done, ()):
            waiting[key].discard(done)
            if not waiting[key]:
                free.append(key)
    return [key for key in needs if key in waiting]
