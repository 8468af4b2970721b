"""What a cell of the grid looks like. Cells that say the same share a look, which is made once."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from runs.models import OPEN_STATUSES, TrialStatus
from runs.statistics.estimates import is_flaky
from runs.statistics.shares import Shares, shares_of

# Shades of a cell: from no trial passed to all.
SHADES = 10
# What a cell may say beside its pass rate: the statuses, the icon, and the words for one trial and for several.
MARKS: tuple[tuple[frozenset[str], str, str, str], ...] = (
    (frozenset({TrialStatus.ERROR}), "triangle-alert", "error", "errors"),
    (frozenset({TrialStatus.UNDECIDED}), "circle-help", "undecided", "undecided"),
    (frozenset({TrialStatus.CANCELLED}), "ban", "cancelled", "cancelled"),
    (frozenset(OPEN_STATUSES), "loader", "open", "open"),
)
# A trial of its own is shown by its icon, several trials with a verdict by that of the verdict.
ICONS = {TrialStatus.PASSED: "check", TrialStatus.FAILED: "x"}
JOINT_ICONS = {"pass": "circle-check", "fail": "circle-x"}


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that a cell says beside its pass rate: an icon, and words."""

    icon: str
    words: str


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A cell: the shares of its trials, and what is missing or disagrees.

    `shade` is how many tenths of the judged trials passed, None where none is judged. `joint_icon` stands for what the
    trials say together, `icon` for a trial without others; both are empty where there is none. `described` is the cell
    in words.
    """

    shares: Shares
    shade: int | None
    joint_icon: str
    icon: str
    marks: tuple[Mark, ...]
    described: str


@lru_cache(maxsize=4096)
def look_of(statuses: tuple[str, ...], joint: str = "", verdict: str = "") -> Look:
    """The look of a cell by the statuses of its trials, in any order, and the name and verdict of what they say."""
    counts = Counter(statuses)
    shares, marks = shares_of(counts), marks_of(counts)
    icon = ICONS.get(TrialStatus(statuses[0]), "") if len(statuses) == 1 else ""
    passed = f"{shares.passed} of {shares.judged} passed" if shares.judged else ""
    alone = TrialStatus(statuses[0]).label if icon else passed
    words = filter(None, (alone, f"{joint}: {verdict}" if joint else "", *(mark.words for mark in marks)))
    shade = None if shares.pass_rate is None else shade_of(shares.pass_rate)
    return Look(shares, shade, JOINT_ICONS.get(verdict, ""), icon, marks, ", ".join(words))


def marks_of(counts: Counter[str]) -> tuple[Mark, ...]:
    """What is missing, and whether trials disagree."""
    found = [Mark("split", "flaky")] if is_flaky(counts) else []
    for statuses, icon, one, several in MARKS:
        count = sum(counts[status] for status in statuses)
        if count:
            found.append(Mark(icon, f"{count} {one if count == 1 else several}"))
    return tuple(found)


def shade_of(rate: float) -> int:
    """How many tenths a pass rate has."""
    return round(rate * SHADES)
