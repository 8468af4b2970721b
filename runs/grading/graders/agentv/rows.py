"""What one assertion says of a trial: a row of a result (agentv H.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from runs.grading.graders.values import as_number

# The verdict of a row has this line, whatever that of its test is (agentv F.6).
PASS_LINE = 0.8
NEGATED = "[Negated]"
# Of longer texts and of more checks a row keeps the beginning; the events of the trial hold them whole.
MAX_EVIDENCE, MAX_CHECKS = 500, 100


class RowVerdict(StrEnum):
    """What a row says; one that is skipped counts for nothing."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    text: str
    passed: bool
    evidence: str = ""

    def as_dict(self) -> dict[str, Any]:
        evidence = {"evidence": self.evidence[:MAX_EVIDENCE]} if self.evidence else {}
        return {"text": self.text[:MAX_EVIDENCE], "passed": self.passed, **evidence}


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The score of an assertion from 0 to 1, what was looked at, and the rows of its members where it has some."""

    score: float
    checks: tuple[Check, ...] = ()
    verdict: RowVerdict | None = None
    details: Any = None
    name: str = ""
    type: str = ""
    members: tuple["ScoreRow", ...] = field(default=())

    @property
    def says(self) -> RowVerdict:
        """Its own verdict, else the one by its score."""
        return self.verdict or verdict_of(self.score)

    def as_dict(self) -> dict[str, Any]:
        """The row as it is shown and exported."""
        return {
            "name": self.name,
            "type": self.type,
            "score": self.score,
            "verdict": self.says.value,
            "checks": [check.as_dict() for check in self.checks[:MAX_CHECKS]],
            **({} if self.details is None else {"details": self.details}),
            **({"members": [member.as_dict() for member in self.members]} if self.members else {}),
        }


def verdict_of(score: float) -> RowVerdict:
    """The verdict that a score alone gives."""
    return RowVerdict.PASS if score >= PASS_LINE else RowVerdict.FAIL


def clamped(score: float) -> float:
    """A score within 0 and 1."""
    return min(1.0, max(0.0, score))


def one(passed: bool, text: str, evidence: str = "") -> ScoreRow:
    """A row of one check, worth 1 or 0."""
    return ScoreRow(float(passed), (Check(text, passed, evidence),))


def share(checks: Sequence[Check]) -> ScoreRow:
    """A row worth the share of its checks that passed; 0 without any."""
    return ScoreRow(sum(check.passed for check in checks) / len(checks) if checks else 0.0, tuple(checks))


def weight_of(stated: Any) -> float:
    """A weight as an author states it; 1 where there is none."""
    weight = as_number(stated)
    return 1.0 if weight is None else weight


def mean_of(scores: Iterable[tuple[float, float]]) -> float:
    """The mean of scores, each with its weight; 0 where there is no weight at all."""
    listed = list(scores)
    total = sum(weight for _, weight in listed)
    return sum(weight * score for score, weight in listed) / total if total else 0.0


def failing(reason: str) -> ScoreRow:
    """The row of an assertion that could not do its work, which is the pack's doing: 0 and one failed check (F.6)."""
    return one(False, reason)


def negated(row: ScoreRow) -> ScoreRow:
    """The opposite of a row: score, verdict and checks turn round."""
    opposite = RowVerdict.FAIL if row.says is RowVerdict.PASS else RowVerdict.PASS
    checks = tuple(Check(check.text, not check.passed, f"{NEGATED} {check.evidence}".strip()) for check in row.checks)
    return replace(row, score=1 - row.score, verdict=opposite, checks=checks)


def prefixed(name: str, checks: Iterable[Check]) -> list[Check]:
    """Checks of a member as its composite lists them."""
    return [replace(check, text=f"[{name}] {check.text}") for check in checks]
