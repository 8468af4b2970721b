"""What only all tests of a suite together tell: whom each waits for (agentv B.6), and whose template counts (B.4)."""

from collections.abc import Iterator, Mapping, Sequence

from packs.formats.agentv.context import Around
from packs.formats.agentv.merging import read_workspace, workspace_of
from packs.formats.agentv.notes import NOT_RUNNABLE
from packs.formats.document import InputSet
from packs.formats.findings import Finding, Path, Rule
from packs.formats.values import listing

SHARED_TEMPLATES = Rule(
    "agentv.W506",
    "Tests share one workspace, so only the first one's template is used.",
    hint="Write `isolation: per_test` in the suite's workspace.",
)
GRAPH_RULES = (NOT_RUNNABLE, SHARED_TEMPLATES)


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
    for key in _in_circles(needs):
        if key not in needs[key]:
            place = ("cases", known[key], "depends_on")
            yield NOT_RUNNABLE.at(place, reason=f"{key[:120]!r} waits for itself by way of others")


def check_templates(around: Around, input_set: InputSet) -> Iterator[Finding]:
    """Tests with templates of their own need workspaces of their own; paths start at the suite."""
    if (read_workspace(around, around.suite.get("workspace")) or {}).get("isolation") == "per_test":
        return
    shared = (workspace_of(around, {}) or {}).get("template")
    found = [(workspace_of(around, case.document) or {}).get("template", shared) for case in input_set.cases]
    if len(set(found)) > 1:
        yield SHARED_TEMPLATES.at(())


def _in_circles(needs: Mapping[str, Sequence[str]]) -> list[str]:
    """The keys that wait for each other, without those that only wait for one of them."""
    stuck = waiting_in_circles(needs)
    users: dict[str, list[str]] = {key: [] for key in stuck}
    for key in stuck:
        for other in needs[key]:
            if other in users:
                users[other].append(key)
    return waiting_in_circles(users)


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
