"""What went wrong in a run, in a few lines: errors by what is to be mended, then what agents failed at."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from runs.models import Run, Trial, TrialStatus

# Trials that are read; the list is one to begin with, the grid below has them all.
READ = 1000
SHOWN = 3
MAX_TEXT = 300


@dataclass(slots=True)
class Trouble:
    """Trials that are errors for the same reason, or failures of one agent at one case. `first` leads there."""

    first: Trial
    trials: int = 0
    cases: dict[str, None] = field(default_factory=dict)
    agents: dict[str, None] = field(default_factory=dict)

    @property
    def is_error(self) -> bool:
        return self.first.status == TrialStatus.ERROR

    @property
    def reason(self) -> str:
        """What is said of an error, on one line; empty for a failure."""
        return " ".join(self.first.error.split())[:MAX_TEXT] if self.is_error else ""


def troubles_of(run: Run) -> list[Trouble]:
    """The most frequent errors, then failures in the order of the cases; each at most SHOWN times."""
    rows = Trial.objects.filter(run=run, status__in=(TrialStatus.FAILED, TrialStatus.ERROR))
    columns = ("case_key", "number", "status", "fault", "stop_reason", "error", "run_agent__name")
    ordered = rows.select_related("run_agent").only(*columns).order_by("case_position", "run_agent__position", "number")
    found = list(gathered(ordered[:READ]))
    errors = sorted((one for one in found if one.is_error), key=lambda one: -one.trials)
    return [*errors[:SHOWN], *[one for one in found if not one.is_error][:SHOWN]]


def gathered(trials: Iterable[Trial]) -> Iterator[Trouble]:
    """The trials of the same trouble together, in the order in which each was met first."""
    found: dict[tuple[str, ...], Trouble] = {}
    for trial in trials:
        told = trial.error if trial.status == TrialStatus.ERROR else f"{trial.case_key}\n{trial.run_agent.name}"
        trouble = found.setdefault((trial.status, trial.fault, told), Trouble(trial))
        trouble.trials += 1
        trouble.cases[trial.case_key] = None
        trouble.agents[trial.run_agent.name] = None
    yield from found.values()
