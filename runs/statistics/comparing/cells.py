"""What the trials of one column say of one case."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from runs.statistics.estimates import FAILED, LEFT_OUT, PASSED, Joined, Said, Verdict
from runs.statistics.sums import summed

OPEN = "open"
# Why there is no verdict, the weightiest first; whatever else a trial can be is open.
REASONS = ("error", "undecided", LEFT_OUT, "cancelled")


@dataclass(frozen=True, slots=True)
class Sample:
    """One trial. `state` is its status, or `left_out`; tokens and US dollars are None where nobody knows, seconds where
    it did not both begin and end."""

    id: int
    number: int
    state: str
    score: float | None = None
    cost_usd: float | None = None
    tokens: int | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A case in a column. `digest` is that of its stored document, `score` the mean of the trials that count."""

    key: str
    input_set: str
    challenge: str
    digest: str
    verdict: Verdict
    state: str
    is_flaky: bool
    score: float | None
    samples: tuple[Sample, ...]

    @property
    def is_telling(self) -> bool:
        """Whether it says anything about the agent."""
        return self.verdict != "incomplete"

    @property
    def deciding(self) -> Sample:
        """The trial to look at first: one that ended as the case did."""
        return next((sample for sample in self.samples if sample.state == self.state), self.samples[0])

    @property
    def trials(self) -> list[int]:
        return [sample.id for sample in self.samples]

    @property
    def cost_usd(self) -> float | None:
        return summed(sample.cost_usd for sample in self.samples).known

    @property
    def tokens(self) -> float | None:
        return summed(sample.tokens for sample in self.samples).known

    @property
    def seconds(self) -> float | None:
        """The mean time of its trials."""
        known = [sample.seconds for sample in self.samples if sample.seconds is not None]
        return fmean(known) if known else None


def cell_of(place: tuple[str, str, str, str], joint: Joined | Said, samples: Sequence[Sample]) -> Cell:
    """A case from its trials, in order, and what they say together; `place` is key, input set, challenge and digest."""
    verdict = joint.verdict
    scores = [sample.score for sample in samples if sample.score is not None and sample.state in (PASSED, FAILED)]
    state = {"pass": PASSED, "fail": FAILED}.get(verdict) or reason_of([sample.state for sample in samples])
    return Cell(*place, verdict, state, joint.is_flaky, fmean(scores) if scores else None, tuple(samples))


def reason_of(states: Sequence[str]) -> str:
    """Why trials give no verdict: they are under way, or what kept them from one."""
    ended = {*REASONS, PASSED, FAILED}
    if any(state not in ended for state in states):
        return OPEN
    return next((reason for reason in REASONS if reason in states), OPEN)
