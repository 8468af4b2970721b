"""What the trials of a run measured: each metric over the trials of an agent, and over those of each case."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from packs.formats.collectors import COLLECTED
from runs.grading.scoring.tracked import restored
from runs.models import Run, Trial, TrialStatus
from runs.replay.trajectories.definitions import DEFINITIONS
from runs.replay.trajectories.tracked import UNITS, Rate, Value, summarise
from runs.results.sampling import Sample
from runs.statistics.distributions import counted, few_values, steps_of

# Trials that say something of an agent; infrastructure errors are not measured.
TELLING = (TrialStatus.PASSED, TrialStatus.FAILED, TrialStatus.UNDECIDED)
BATCH = 500


@dataclass(frozen=True, slots=True)
class Measure:
    """One metric over some trials. `summary` holds mean, p50 and p95, or a rate, or counts."""

    name: str
    unit: str
    definition: str
    known: int
    missing: int
    summary: dict[str, Any]
    distribution: Sequence[tuple[str, int]] = ()

    def as_dict(self) -> dict[str, Any]:
        """JSON values, with the distribution as pairs of label and count."""
        return {
            "metric": self.name,
            "unit": self.unit,
            "definition": self.definition,
            "trials": self.known,
            "undefined": self.missing,
            **self.summary,
            "distribution": self.distribution,
        }


@dataclass(slots=True)
class Collected:
    """The values of one agent by metric, and by metric and case."""

    units: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    values: dict[str, list[Value]] = field(default_factory=lambda: defaultdict(list))
    by_case: dict[str, dict[str, list[Value]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))

    def add(self, case: str, name: str, value: Value, unit: str, definition: str) -> None:
        self.units[name], self.definitions[name] = unit, definition
        self.values[name].append(value)
        self.by_case[name][case].append(value)

    def measures(self) -> list[Measure]:
        """Every metric over all trials."""
        return [self._measure(name, values) for name, values in self.values.items()]

    def cases(self, name: str) -> list[tuple[str, Measure]]:
        """One metric over the trials of each case."""
        return [(case, self._measure(name, values)) for case, values in self.by_case.get(name, {}).items()]

    def _measure(self, name: str, values: list[Value]) -> Measure:
        known = [value for value in values if value is not None]
        unit, definition = self.units[name], self.definitions[name]
        return Measure(
            name, unit, definition, len(known), len(values) - len(known), summarise(values), distribution_of(known)
        )


def collect(run: Run, run_agent: int | None = None) -> dict[int, Collected]:
    """The measured values of the trials that have a verdict, by the id of the run agent; of a very large run those of
    its `Sample`."""
    rows = Sample.of(run).rows(Trial.objects.filter(run=run, status__in=TELLING)).order_by("case_position", "number")
    if run_agent is not None:
        rows = rows.filter(run_agent=run_agent)
    found: dict[int, Collected] = defaultdict(Collected)
    columns = ("run_agent_id", "case_key", "status", "score", "scorecard")
    for agent, case, status, score, scorecard in rows.values_list(*columns).iterator(chunk_size=BATCH):
        for name, value, unit, definition in _values(scorecard or {}, status, score):
            found[agent].add(case, name, value, unit, definition)
    return dict(found)


def _values(scorecard: Mapping[str, Any], status: str, score: float | None) -> Iterator[tuple[str, Value, str, str]]:
    """Each metric of a trial with its unit and what it means."""
    passed = None if status == TrialStatus.UNDECIDED else status == TrialStatus.PASSED
    yield "success", passed, "", DEFINITIONS["success"]
    yield "score", score, "", DEFINITIONS["score"]
    for metric in scorecard.get("metric_details", ()):
        value = metric.get("numeric_value", metric.get("boolean_value"))
        yield metric["key"], value, metric.get("unit", ""), COLLECTED.get(metric["collector"], metric["collector"])
    for name, kept in scorecard.get("tracked", {}).items():
        yield name, restored(kept), UNITS.get(name, ""), DEFINITIONS.get(name, "")


def distribution_of(values: Sequence[Value]) -> list[tuple[str, int]]:
    """How many values there are of each kind, of no and yes, or of each number or range of numbers."""
    counters = [value for value in values if isinstance(value, Counter)]
    if counters:
        return list(sum(counters, Counter()).items())
    if values and all(isinstance(value, bool) for value in values):
        return [("no", values.count(False)), ("yes", values.count(True))]
    numbers = [float(plain) for plain in map(number_of, values) if plain is not None]
    if few := few_values(numbers):
        return [(f"{value:g}", numbers.count(value)) for value in few]
    if not numbers:
        return []
    found = steps_of(numbers)
    return [
        (f"{low:g} to {high:g}", count) for (low, high), count in zip(found.edges, counted(found, numbers), strict=True)
    ]


def number_of(value: Value) -> float | None:
    """A value as a number; None where it is none."""
    plain = value.value if isinstance(value, Rate) else value
    return plain if isinstance(plain, int | float) else None
