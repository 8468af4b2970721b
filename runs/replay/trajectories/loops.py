"""Retries and loops (task-suite 4.5)."""

from collections import Counter
from collections.abc import Sequence

from runs.replay.trajectories.calls import Call

MAX_RETRIES = 3
MAX_BLOCK = 4
TIMES = 3


def is_retry(calls: Sequence[Call]) -> list[bool]:
    """For each call whether it repeats one that did not end well; other calls may lie between."""
    last: dict[str, bool] = {}
    found = []
    for call in calls:
        found.append(last.get(call.key) is False)
        last[call.key] = call.is_ok
    return found


def retry_count(calls: Sequence[Call]) -> int:
    """Calls that repeat a failed one, and the repetitions that the harness made itself."""
    return sum(is_retry(calls)) + sum(call.retries for call in calls)


def retries_per_tool(calls: Sequence[Call]) -> Counter[str]:
    """The retries of each tool."""
    counted: Counter[str] = Counter()
    for call, repeats in zip(calls, is_retry(calls), strict=True):
        counted[call.tool] += repeats + call.retries
    return counted


def has_loop(calls: Sequence[Call], most_retries: int = MAX_RETRIES) -> bool:
    """Whether one call was retried more than `most_retries` times in a row, or 1 to 4 calls come three times in a row.

    Calls that directly follow an equal one that failed are its retries: one call in the sequence that is looked at.
    """
    folded: list[str] = []
    retries: list[int] = []
    was_ok = True
    for call in calls:
        if folded and not was_ok and call.key == folded[-1]:
            retries[-1] += 1 + call.retries
        else:
            folded.append(call.key)
            retries.append(call.retries)
        was_ok = call.is_ok
    return max(retries, default=0) > most_retries or _has_repeated_block(folded)


def _has_repeated_block(keys: Sequence[str]) -> bool:
    for size in range(1, MAX_BLOCK + 1):
        run = 0
        for index in range(size, len(keys)):
            run = run + 1 if keys[index] == keys[index - size] else 0
            if run == size * (TIMES - 1):
                return True
    return False
