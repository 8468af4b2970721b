"""What was made of the trials of runs, kept in this process until one of these trials changes."""

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from threading import Lock
from typing import Any, TypeVar

from runs.models import Run
from runs.models.trial_counts import agent_stamps_of, stamps_of

Made = TypeVar("Made")
# So many things are kept; the one that was not wanted for longest goes first.
MOST = 24


class Memory:
    """Things by their keys, each with the stamp of what it was made of. Any thread may use it."""

    def __init__(self, most: int = MOST) -> None:
        self.most = most
        self._kept: OrderedDict[Hashable, tuple[Any, Any]] = OrderedDict()
        self._lock = Lock()

    def find(self, key: Hashable) -> tuple[Any, Any] | None:
        """The newest stamp and thing of a key."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Hashable, stamp: Any, made: Any) -> None:
        """Note what was made now."""
        with self._lock:
            self._kept[key] = (stamp, made)
            self._kept.move_to_end(key)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)

    def forget(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._kept.clear()

    def remembered(self, key: Hashable, stamp: Hashable, make: Callable[[], Made]) -> Made:
        """What was made under this key with the same stamp, else what `make` gives now."""
        found = self.find(key)
        if found is not None and found[0] == stamp:
            made: Made = found[1]
            return made
        made = make()
        self.keep(key, stamp, made)
        return made


MEMORY = Memory()


def name_of(run: Run) -> tuple[int, float]:
    """What tells a run from every other one, also from one that had its number before."""
    return run.pk, run.created_at.timestamp()


def remembered(kind: str, runs: Sequence[Run], make: Callable[[], Made], *more: Hashable) -> Made:
    """What `make` gives, unless it was made before of the same trials; `more` is what else it depends on.

    The stamp is read first: what changes meanwhile gives another one, so nothing old is ever shown as new.
    """
    stamp = sum(stamps_of(*(run.pk for run in runs)).values())
    return MEMORY.remembered((kind, *map(name_of, runs), *more), stamp, make)


def remembered_by_agent(
    kind: str, run: Run, make: Callable[[Collection[int]], Mapping[int, Made]]
) -> Mapping[int, Made]:
    """What `make` gives for agents entered in a run, by their ids; asked only for those of which a trial changed."""
    key, stamps = (kind, *name_of(run)), agent_stamps_of(run.pk)
    kept = MEMORY.find(key)
    old_stamps, old = kept or ({}, {})
    if stamps == old_stamps:
        known: Mapping[int, Made] = old
        return known
    changed = [agent for agent, stamp in stamps.items() if stamp != old_stamps.get(agent)]
    made = {agent: each for agent, each in old.items() if agent in stamps and agent not in changed} | dict(
        make(changed)
    )
    MEMORY.keep(key, stamps, made)
    return made
