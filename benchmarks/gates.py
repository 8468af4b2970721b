"""What gates cost: 500 tasks of 10 trials each against a baseline of the same size, from stored rows, and their pages.

Run by `python -m benchmarks gates`, in a database of its own (see `benchmarks.database`).
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.utils import timezone

from packs.access import Role
from packs.importing import import_pack
from packs.models import Membership, PackVersion, Team, VersionCase
from packs.publish import publish
from runs.jobs.gating.cases import standings_of
from runs.jobs.gating.checks import judge, junit_of, keep
from runs.models import Agent, Grade, Run, RunAgent, RunStatus, Trial, TrialFacts

TASKS = 500
TRIALS = 10
STEPS = 8
ROUNDS = 5
GATE = "ci_merge_gate"
# Milliseconds.
TARGETS = {"verdict, version not yet compiled": 2000.0, "verdict": 2000.0, "page of the verdict": 500.0}
TARGETS |= {"page of the gate": 500.0, "preview of another policy": 2000.0}
PLAIN_FILES = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
SUITES = ("golden", "adversarial", "failure_replays", "open_ended")
TASK = """\
task_id: task_{number}
suite: {suite}
description: Say where the parcel is, and say it without making any call that is not needed.
inputs:
  user_message: "Where is parcel {number}?"
  tools_available: [look, ask]
  forbidden_tools: [wire]
trials: {{k: {trials}, metric: pass^k}}
graders:
  - type: string_match
    patterns: ["hub"]
  - type: deterministic_assertions
    checks: ["no_forbidden_tool_called == true"]
tracked_metrics:
  - {{type: tokens, fields: [total_tokens]}}
"""
CONFIG = "suites: {}\ngates: {ci_merge_gate: {}, nightly: {}, release_candidate: {}}\n"


def run() -> int:
    """Print the table; 1 when a target is missed."""
    team = Team.objects.create(slug="bench", name="Bench")
    user = User.objects.create_user("bench")
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    with override_settings(STORAGES=settings.STORAGES | PLAIN_FILES):
        found = measure(user, publish_tasks(team, user))
    print(f"{'gates, ms':36}{'measured':>12}{'target':>10}")
    missed = 0
    for work, value in found.items():
        target = TARGETS.get(work)
        print(f"{work:36}{value:12,.0f}" + (f"{target:10,.0f}" if target else ""))
        missed += bool(target and value > target)
    return int(missed > 0)


def publish_tasks(team: Team, user: User) -> PackVersion:
    """A version with so many tasks, most of them golden."""
    files = {"evals/config.yml": CONFIG.encode()}
    for number in range(TASKS):
        suite = SUITES[0] if number % 5 else SUITES[number // 5 % 4]
        text = TASK.format(number=number, suite=suite, trials=TRIALS)
        files[f"evals/{suite}/task_{number}.yaml"] = text.encode()
    return publish(import_pack(team, user, files, "tasks.zip", slug="tasks"), user)


def write_run(user: User, version: PackVersion, agent: Agent, failing: int) -> Run:
    """An ended run of every task, with the rows that real trials leave; so many tasks have a trial that failed."""
    now = timezone.now()
    run = Run.objects.create(
        team=version.pack.team, version=version, name="bench", status=RunStatus.COMPLETED, created_by=user,
        selection="all", trials_per_case=TRIALS, trial_count=TASKS * TRIALS, started_at=now, finished_at=now,
    )  # fmt: skip
    entry = RunAgent.objects.create(run=run, agent=agent, position=0, name=agent.name, kind=agent.kind)
    cases = VersionCase.objects.filter(version=version).order_by("input_set__position", "position")
    trials = [
        Trial(
            run=run, run_agent=entry, case=case, case_position=position, case_key=case.key, number=number + 1,
            status="failed" if position < failing and number == 4 else "passed", cost_usd=0.01,
            scorecard={"validator_details": [{"reason": "x" * 2000}]}, started_at=now, finished_at=now,
        )
        for position, case in enumerate(cases)
        for number in range(TRIALS)
    ]  # fmt: skip
    Trial.objects.bulk_create(trials, batch_size=1000)
    rows = list(Trial.objects.filter(run=run).only("finished_at", "status"))
    latencies = [100.0 + step for step in range(STEPS)]
    TrialFacts.objects.bulk_create(
        [TrialFacts(trial=row, ended_at=now, latencies=latencies, tools={"look": STEPS}) for row in rows],
        batch_size=1000,
    )
    Grade.objects.bulk_create(
        [
            Grade(
                trial=row, position=0, key="string_match", kind="suite.string_match", state="available", verdict=verdict
            )
            for row in rows
            for verdict in ["fail" if row.status == "failed" else "pass"]
        ],
        batch_size=1000,
    )
    return run


def measure(user: User, version: PackVersion) -> dict[str, float]:
    """Milliseconds of each act."""
    agent = Agent.objects.create(team=version.pack.team, name="agent", kind="echo")
    before, after = write_run(user, version, agent, 0), write_run(user, version, agent, 40)
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    standings_of.cache_clear()
    cold = milliseconds(lambda: judge(after, GATE, baseline=before))
    judged = judge(after, GATE, baseline=before)
    assert judged.result.verdict == "fail"
    assert len(judged.result.members) > TASKS * 0.9
    check = keep(judged, user)
    pages = {
        "page of the verdict": f"/gates/checks/{check.pk}/",
        "page of the gate": "/gates/bench/tasks/merge/",
        "page of a run's verdicts": f"/runs/{after.pk}/gates/",
        "report over REST": f"/api/v1/gate-checks/{check.pk}/",
    }
    form = {"suites": SUITES[:3], "fail_on": "golden_regression", "baseline": "pinned", "run_id": before.pk}
    acts: dict[str, Callable[[], Any]] = {
        "verdict": lambda: judge(after, GATE, baseline=before),
        "verdict, kept": lambda: keep(judge(after, GATE, baseline=before), user),
        **{work: shown(client, address) for work, address in pages.items()},
        "preview of another policy": lambda: client.post(f"/gates/checks/{check.pk}/preview/", form),
        "JUnit": lambda: junit_of(check),
    }
    return {"verdict, version not yet compiled": cold, **{work: median(act) for work, act in acts.items()}}


def shown(client: Client, address: str) -> Callable[[], Any]:
    def show() -> None:
        assert client.get(address).status_code == 200, address

    return show


def median(act: Callable[[], Any]) -> float:
    return statistics.median(milliseconds(act) for _ in range(ROUNDS))


def milliseconds(act: Callable[[], Any]) -> float:
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) * 1000
