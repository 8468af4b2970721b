"""What went wrong in a run, in a few lines: what kept trials from a verdict, then what agents failed at."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from django.db.models import F, QuerySet

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
COLUMNS = ("id", "case_key", "status", "fault", "stop_reason", "error")
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


def read(run: Run, state: str, most: int) -> QuerySet[Trial, dict[str, Any]]:
    """What is shown of the first trials in a state, in the order of the cases; an index has them in this order."""
    rows = in_state(Trial.objects.filter(run=run), state).order_by("case_position", "run_agent_id", "number")
    found: QuerySet[Trial, dict[str, Any]] = rows.values(*COLUMNS, agent=F("run_agent__name"))
    return found[:most]


def gathered(trials: Iterable[dict[str, Any]]) -> Iterator[Trouble]:
    """The trials of the same trouble together, in the order in which each was met first."""
    found: dict[tuple[str, ...], Trouble] = {}
    for trial in trials:
        agent, case, status = trial["agent"], trial["case_key"], trial["status"]
        reported = f"{case}\n{agent}" if status == TrialStatus.FAILED else trial["error"]
        key = (status, trial["fault"], reported)
        if key not in found:
            found[key] = Trouble(Trial(**{name: trial[name] for name in COLUMNS}))
        found[key].trials += 1
        found[key].cases[case] = found[key].agents[agent] = None
    yield from found.values()
