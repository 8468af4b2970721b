"""What keeps the trials of a process from running programs and judging all at once, while any number waits.

A trial that waits for its agent costs next to nothing, so hundreds may. What it does beside that takes processor time,
memory and calls of judges: it does so in its turn, of which a process gives as many at a time as it can bear.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from packs.formats.task import Task
from runs.agents.contract import Cancelled, needs_workspace, never
from runs.engine.entrant import Entrant

# How often a trial that waits for its turn looks whether it is still wanted.
GLANCE_SECONDS = 0.1
# Called where a trial begins to do more than wait; comes back when it is its turn. Raises Cancelled.
TakeTurn = Callable[[], None]


def at_once() -> None:
    """It is always everybody's turn."""


class Limiter:
    """Gives turns, `most` at a time."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.free = threading.BoundedSemaphore(most)

    @contextmanager
    def turn(self, is_cancelled: Callable[[], bool] = never) -> Iterator[TakeTurn]:
        """A block in which a trial may take its turn; it has it from then on until the block ends."""
        has_turn = False

        def take() -> None:
            nonlocal has_turn
            while not has_turn:
                has_turn = self.free.acquire(timeout=GLANCE_SECONDS)
                if not has_turn and is_cancelled():
                    raise Cancelled

        try:
            yield take
        finally:
            if has_turn:
                self.free.release()


def works_on_files(task: Task, entrant: Entrant) -> bool:
    """Whether a trial has a workspace from the beginning."""
    return needs_workspace(entrant.agent, task) or task.environment.workspace is not None


def only_waits(task: Task, entrant: Entrant) -> bool:
    """Whether a trial does nothing but wait until its agent has answered.

    Otherwise there is a workspace in which programs may run, a turn of a conversation may be judged before the next
    one, or the answer is there already.
    """
    return task.conversation is None and entrant.kind != "recorded" and not works_on_files(task, entrant)
