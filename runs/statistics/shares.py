"""Shares of trials and of cases: each defined once, under a name that says of what it is a share.

Pages, API, exports, commands and gates read them here. A trial is judged when it passed or failed. Whatever else became
of it (an error, undecided, cancelled, not tried, still open) says nothing about the agent: it is no failure, and it is
missing from the coverage.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from runs.statistics.estimates import FAILED, PASSED, Interval, wilson


@dataclass(frozen=True, slots=True)
class Shares:
    """How many trials, or cases, were planned, how many of these were judged, and how many of those passed."""

    passed: int
    judged: int
    planned: int

    @property
    def pass_rate(self) -> float | None:
        """Passed of judged, from 0 to 1; None while nothing is judged."""
        return self.passed / self.judged if self.judged else None

    @property
    def coverage(self) -> float | None:
        """Judged of planned, from 0 to 1; None where nothing was planned."""
        return self.judged / self.planned if self.planned else None

    @property
    def interval(self) -> Interval | None:
        """The 95% Wilson interval of the pass rate. It takes what was judged for independent of each other."""
        return wilson(self.passed, self.judged)

    @property
    def failed(self) -> int:
        return self.judged - self.passed

    @property
    def missing(self) -> int:
        """How many were planned and are not judged."""
        return self.planned - self.judged

    @property
    def described(self) -> str:
        """The pass rate in words, and the coverage unless everything is judged."""
        rate = f"pass rate {spelled(self.pass_rate)} ({self.passed} of {self.judged} judged)"
        covered = f", coverage {spelled(self.coverage)} ({self.judged} of {self.planned} judged)"
        return rate + covered if self.missing else rate

    def as_dict(self, prefix: str = "") -> dict[str, Any]:
        """Pass rate, coverage and interval as JSON values."""
        return {
            f"{prefix}pass_rate": self.pass_rate,
            f"{prefix}coverage": self.coverage,
            f"{prefix}wilson95": list(self.interval) if self.interval else None,
        }


def shares_of(counts: Mapping[str, int]) -> Shares:
    """The shares of trials, or cases, of which `counts` says how many ended, or stand, in each state."""
    passed = counts.get(PASSED, 0)
    return Shares(passed, passed + counts.get(FAILED, 0), sum(counts.values()))


def suite_pass_rate(passed: int, members: int) -> float:
    """Passed of all members of a suite, those without a verdict included: what gates ask for (task-suite 6)."""
    return passed / members


def spelled(share: float | None, digits: int = 0) -> str:
    """A share in per cent with so many decimals, a dash for None.

    All and nothing are said only where they are meant: one failure among a thousand does not make 100 %.
    """
    if share is None:
        return "–"
    least = 0.1**digits
    rounded, nothing, everything = (f"{value:.{digits}f}" for value in (100 * share, 0, 100))
    if rounded == everything and share < 1:
        return f"> {100 - least:.{digits}f} %"
    return f"< {least:.{digits}f} %" if rounded == nothing and share > 0 else f"{rounded} %"
