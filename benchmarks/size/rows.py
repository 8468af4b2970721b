"""The rows that a run of any size leaves behind, written without agents."""

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Count
from django.utils import timezone

from benchmarks.packs import simple_pack
from packs.importing import import_pack
from packs.models import PackVersion, Team, VersionCase
from packs.publish import publish
from runs.jobs.trials.progress import compare_agents, summarise_agent
from runs.jobs.trials.statements import Statements
from runs.models import Agent, Run, RunAgent, RunStatus, Trial
from runs.models.case_counting import keep_case_counts

# So many trials make a case by an agent, and so many agents are entered.
AGENTS, NUMBERS = 10, 10
TRIAL_COLUMNS = [field.attname for field in Trial._meta.concrete_fields if not field.primary_key]
TRIALS = Statements(Trial, *TRIAL_COLUMNS)
# The trials of so many cases are made one by one; those of the others are copies of them, made by the database.
WRITTEN = 50
OF_CASES = {"case_id": "c.id", "case_position": "c.position", "case_key": "c.key", "challenge_key": "c.challenge_key"}
REPEATED = (
    f"INSERT INTO runs_trial ({', '.join(TRIAL_COLUMNS)}) "
    f"SELECT {', '.join(OF_CASES.get(name, f't.{name}') for name in TRIAL_COLUMNS)} "
    "FROM packs_versioncase c CROSS JOIN runs_trial t WHERE c.version_id = %s AND c.position >= %s "
    "AND t.case_position = c.position %% %s AND t.run_id = %s ORDER BY c.position, t.id"
)
TOLD = (
    "INSERT INTO runs_grade (trial_id, position, key, kind, state, verdict, outcome, score, reason, detail) "
    "SELECT id, 0, 'names-hub', 'contains', 'available', "
    "CASE status WHEN 'passed' THEN 'pass' ELSE 'fail' END, CASE status WHEN 'passed' THEN 'pass' ELSE 'fail' END, "
    "score, CASE status WHEN 'passed' THEN '' ELSE 'The answer names Hub ' || (id %% 97) END, '{}' "
    "FROM runs_trial WHERE run_id = %s AND status IN ('passed', 'failed')",
    *(
        "INSERT INTO runs_event (trial_id, sequence, event_type, source, occurred_at, payload) "
        f"SELECT id, {number}, 'tool.call.{kind}', 'agent', finished_at, '{payload}' "
        "FROM runs_trial WHERE run_id = %s AND status IN ('passed', 'failed')"
        for number, kind, payload in (
            (1, "started", '{"tool_name":"look","tool_call_id":"1","arguments":{}}'),
            (2, "completed", '{"tool_name":"look","tool_call_id":"1","result":{"content":"Hub 7"}}'),
        )
    ),
)
# How trials end, each as often as its weight says.
ENDS = {"passed": 60, "failed": 28, "error": 5, "undecided": 4, "cancelled": 3}


def publish_cases(team: Team, user: User, cases: int) -> PackVersion:
    """A version with so many cases."""
    row = import_pack(team, user, {"pack.yaml": simple_pack(cases)}, "pack.yaml", slug=f"pack-{cases}")
    return publish(row, user)


def write_run(user: User, version: PackVersion, agents: int, numbers: int, *, is_live: bool = False) -> Run:
    """A run that has ended, or one that is live with the trials of its last case waiting."""
    run = Run.objects.create(
        team=version.pack.team, version=version, input_set=version.input_sets.get(), name="bench", created_by=user,
        selection="only_one", trials_per_case=numbers, started_at=timezone.now(), status=RunStatus.RUNNING,
    )  # fmt: skip
    entries = [
        RunAgent.objects.create(run=run, agent=agent, position=place, name=agent.name, kind=agent.kind)
        for place in range(agents)
        for agent in (Agent.objects.get_or_create(team=run.team, name=f"agent {place}", kind="echo")[0],)
    ]
    cases = list(VersionCase.objects.filter(version=version).order_by("position").only("key", "challenge_key"))
    with transaction.atomic():
        TRIALS.insert(trial_rows(run, entries, cases[:WRITTEN], numbers))
        with connection.cursor() as cursor:
            cursor.execute(REPEATED, [version.pk, WRITTEN, WRITTEN, run.pk])
            for statement in TOLD:
                cursor.execute(statement, [run.pk])
        if is_live:
            rows = run.trials.filter(case_position=len(cases) - 1)
            rows.update(status="queued", score=None, fault="", error="", stop_reason="", finish_reason="", scorecard={})
    conclude(run, entries, is_live=is_live)
    return run


def trial_rows(run: Run, entries: list[RunAgent], cases: list[VersionCase], numbers: int) -> Iterator[tuple[Any, ...]]:
    """The trials in the order in which a launch writes them."""
    chance, now = Random(run.pk), timezone.now()
    names, weights = list(ENDS), list(ENDS.values())
    blank = Trial(run=run)
    fresh = {name: getattr(blank, name) for name in TRIAL_COLUMNS}
    for position, case in enumerate(cases):
        for entry in entries:
            for number in range(1, numbers + 1):
                place = {"run_agent_id": entry.pk, "case_id": case.pk, "case_position": position, "number": number}
                place |= {"case_key": case.key, "challenge_key": case.challenge_key}
                ended = end(chance, chance.choices(names, weights)[0], now)
                yield tuple({**fresh, **place, **ended}.values())


def end(chance: Random, status: str, now: Any) -> dict[str, Any]:
    """The columns of a trial that has ended."""
    is_judged, seconds = status in ("passed", "failed"), chance.expovariate(0.1)
    score = (1.0 if status == "passed" else chance.random() / 2) if is_judged else None
    faults, stops = {"error": "machine", "cancelled": ""}, {"cancelled": "run_budget", "error": "studio"}
    metrics = [
        {"key": key, "collector": collector, "unit": unit, "numeric_value": value, "state": "available"}
        for key, collector, unit, value in (
            ("latency", "run_total_latency_ms", "ms", round(1000 * seconds)),
            ("tokens", "run_total_tokens", "tokens", chance.randrange(200, 20_000)),
        )
    ]
    card = {"strategy": "weighted", "dimensions": {"correctness": {"score": score}}, "metric_details": metrics}
    return {
        "status": status, "score": score, "fault": faults.get(status, ""), "stop_reason": stops.get(status, ""),
        "finish_reason": "length" if chance.random() < 0.02 else "", "scorecard": card if is_judged else {},
        "error": f"The endpoint answered {500 + chance.randrange(4)}." if status == "error" else "",
        "final_output": f"It is at Hub {chance.randrange(97)}.", "event_count": 2, "seconds": seconds,
        "total_tokens": metrics[1]["numeric_value"], "cost_usd": seconds / 1000,
        "started_at": now, "finished_at": now + timedelta(seconds=seconds),
    }  # fmt: skip


def conclude(run: Run, entries: list[RunAgent], is_live: bool) -> None:
    """The figures that a run keeps."""
    keep_case_counts(run.pk)
    run.counts = dict(run.trials.order_by().values_list("status").annotate(Count("pk")))
    run.trial_count = sum(run.counts.values())
    if not is_live:
        for entry in entries:
            entry.summary = summarise_agent(entry)
            entry.save(update_fields=["summary"])
        run.scorecard = compare_agents(run, entries, [entry.summary for entry in entries])
        run.status, run.finished_at = RunStatus.COMPLETED, timezone.now()
    run.save()
