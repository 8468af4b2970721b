"""Facts that gates need of ended trials: taken from their events once, and kept."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from runs.gates.facts import Facts, facts_of
from runs.grading.graders.evidence.recording import record
from runs.jobs.trials.statements import Statements
from runs.models import FINAL_STATUSES, Event, RunAgent, Trial, TrialFacts

CHUNK = 200
FACTS = Statements(TrialFacts, "trial_id", "ended_at", "latencies", "tools", "violations", "wall_seconds", "cost_usd")


def keep_facts(found: Iterable[tuple[Trial, Facts]]) -> None:
    """Write the facts of trials in place of older ones."""
    now = timezone.now()
    FACTS.put(
        (
            trial.pk,
            trial.finished_at or now,
            facts.latencies,
            facts.tools,
            facts.violations,
            facts.wall_seconds,
            facts.cost_usd,
        )
        for trial, facts in found
    )


def fill_facts(agent: RunAgent) -> int:
    """Take the facts of this agent's ended trials that nobody took yet; gives how many."""
    stale = Q(facts__isnull=True) | ~Q(facts__ended_at=F("finished_at"))
    rows = Trial.objects.filter(stale, run_agent=agent, status__in=FINAL_STATUSES, finished_at__isnull=False)
    keys = list(rows.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), CHUNK):
        fill_chunk(keys[start : start + CHUNK])
    return len(keys)


def fill_chunk(keys: Sequence[int]) -> None:
    trials = Trial.objects.filter(pk__in=keys).only("scorecard", "finished_at")
    events: dict[int, list[Mapping[str, Any]]] = {key: [] for key in keys}
    for event in Event.objects.filter(trial__in=keys).order_by("trial", "sequence"):
        events[event.trial_id].append(event.as_event())
    keep_facts((trial, facts_of(record(events[trial.pk]), trial.scorecard or {})) for trial in trials)
