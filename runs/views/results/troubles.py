"""What went wrong in a run, in a few lines: what kept trials from a verdict, then what agents failed at."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from django.db.models import QuerySet

from runs.grading.graders.contract import Verdict
from runs.models import Grade, Run, Trial, TrialStatus
from runs.replay.causes import CONTENT_FILTER, LENGTH
from runs.views.trials.states import in_state

# Trials without a verdict that are read of each state; the list is one to begin with, the grid below has them all.
READ = 1000
SHOWN = 3
# What kept trials from a verdict; those that wait for reviews say so elsewhere.
UNJUDGED = (TrialStatus.ERROR, TrialStatus.UNDECIDED)
MAX_TEXT = 300
# What the filter of trials calls answers that were cut off, by the finish reason.
FINISHES: Mapping[str, str] = {LENGTH: "Cut off: length", CONTENT_FILTER: "Cut off: content filter"}


@dataclass(slots=True)
class Trouble:
    """Trials without a verdict for the same reason, or failures of one agent at one case.

    `first` leads there; `failed` is what the first grader that it failed said, where one did.
    """

    first: Trial
    failed: str = ""
    trials: int = 0
    cases: dict[str, None] = field(default_factory=dict)
    agents: dict[str, None] = field(default_factory=dict)

    @property
    def is_unjudged(self) -> bool:
        return self.first.status != TrialStatus.FAILED

    @property
    def reason(self) -> str:
        """Why there is no verdict, on one line; empty for a failure."""
        return one_line(self.first.error) if self.is_unjudged else ""


def troubles_of(run: Run) -> list[Trouble]:
    """What kept most trials from a verdict, then failures in the order of the cases; each at most SHOWN times."""
    unjudged = (trial for state in UNJUDGED for trial in read(run, state, READ))
    # Of as many cases as are shown there are no more.
    failed = read(run, TrialStatus.FAILED, SHOWN * run.trials_per_case)
    most = sorted(gathered(unjudged), key=lambda one: -one.trials)[:SHOWN]
    failures = list(islice(gathered(failed), SHOWN))
    said = failed_graders([failure.first.pk for failure in failures])
    for failure in failures:
        failure.failed = said.get(failure.first.pk, "")
    return [*most, *failures]


def failed_graders(trials: Collection[int]) -> dict[int, str]:
    """The first grader that each of these trials failed, with its reason on one line."""
    rows = Grade.objects.filter(trial__in=trials, verdict=Verdict.FAIL).order_by("-position")
    return {
        trial: one_line(f"{key}: {reason}" if reason else key)
        for trial, key, reason in rows.values_list("trial", "key", "reason")
    }


def one_line(text: str) -> str:
    return " ".join(text.split())[:MAX_TEXT]


def read(run: Run, state: str, most: int) -> QuerySet[Trial]:
    """The first trials in a state, in the order of the cases; an index has them in this order."""
    columns = ("case_key", "number", "status", "fault", "stop_reason", "error", "run_agent__name")
    rows = in_state(Trial.objects.filter(run=run), state).select_related("run_agent").only(*columns)
    return rows.order_by("case_position", "run_agent_id", "number")[:most]


def gathered(trials: Iterable[Trial]) -> Iterator[Trouble]:
    """The trials of the same trouble together, in the order in which each was met first."""
    found: dict[tuple[str, ...], Trouble] = {}
    for trial in trials:
        is_failure = trial.status == TrialStatus.FAILED
        reported = f"{trial.case_key}\n{trial.run_agent.name}" if is_failure else trial.error
        trouble = found.setdefault((trial.status, trial.fault, reported), Trouble(trial))
        trouble.trials += 1
        trouble.cases[trial.case_key] = None
        trouble.agents[trial.run_agent.name] = None
    yield from found.values()
