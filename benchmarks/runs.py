"""What runs and replays cost: 1,000 trials through a real worker, windows of a replay of 10,000 events, and two
replays of 10,000 steps side by side.

Run by `python -m benchmarks runs`, in a database of its own (see `benchmarks.database`), with the embedded broker.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.test.utils import override_settings

from benchmarks.packs import simple_pack
from benchmarks.workbench import PLAIN_FILES
from packs.access import Role
from packs.importing import import_pack
from packs.models import Membership, PackVersion, Team
from packs.publish import publish
from runs.jobs.queue.workers import worker_health
from runs.jobs.tasks import execute_trials
from runs.launch.launching import Options, launch
from runs.models import Agent, Event, Run, Trial
from runs.results.playback import find_steps, index_of, steps_at

TRIALS = 1_000
EVENTS = 10_000
STEPS = 10_000
ROUNDS = 3
WINDOW = 200
# Trials a second; milliseconds.
TARGETS = {
    "echo trials/s": 500.0,
    "50 ms agent, trials/s": 400.0,
    "first window": 30.0,
    "window in the middle": 30.0,
    "search": 400.0,
    "API": 30.0,
    "first difference of two": 2_000.0,
    "next difference of two": 300.0,
}


def run() -> int:
    """Print the table; 1 when a target is missed."""
    team = Team.objects.create(slug="bench", name="Bench")
    user = User.objects.create_user("bench")
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    version = publish_cases(team, user, 1)
    found = {**measure_trials(team, user), **measure_replay(user, version), **measure_pair(user, version)}
    print(f"{'runs':28}{'measured':>12}{'target':>10}")
    missed = 0
    for work, value in found.items():
        target = TARGETS.get(work)
        print(f"{work:28}{value:12,.1f}" + (f"{target:10,.0f}" if target else ""))
        is_rate = "trials/s" in work
        missed += bool(target and (value < target if is_rate else value > target))
    return int(missed > 0)


def publish_cases(team: Team, user: User, cases: int) -> PackVersion:
    row = import_pack(team, user, {"pack.yaml": simple_pack(cases)}, "pack.yaml", slug=f"pack-{cases}")
    return publish(row, user)


def measure_trials(team: Team, user: User) -> dict[str, float]:
    """Trials a second from the launch to the end of the run, everything stored; the median of some runs."""
    version = publish_cases(team, user, TRIALS)
    agent = Agent.objects.create(team=team, name="echo", kind="echo")
    config = {"default": "It is at the hub.", "delay_seconds": 0.05}
    slow = Agent.objects.create(team=team, name="slow", kind="scripted", config=config)
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    for folder in (options["data_folder_in"], options["control_folder"], settings.STATIC_ROOT):
        Path(folder).mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "celery", "-A", "studio", "worker", "--pool", "prefork", "--concurrency", "2"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    worker = subprocess.Popen([*command, "--without-gossip", "--without-mingle"], **quiet)
    try:
        while not worker_health().workers:
            time.sleep(0.05)
        seconds = [follow(user, version, agent) for _ in range(ROUNDS)]
        waiting = [follow(user, version, slow, concurrency=32) for _ in range(ROUNDS)]
    finally:
        worker.terminate()
        worker.wait()
    assert Event.objects.filter(event_type="scoring.completed").count() == 2 * TRIALS * ROUNDS
    return {
        "echo trials/s": TRIALS / statistics.median(seconds),
        "echo trials/s, best": TRIALS / min(seconds),
        "50 ms agent, trials/s": TRIALS / statistics.median(waiting),
        "50 ms agent, best": TRIALS / min(waiting),
        "events stored of a trial": Event.objects.count() / (2 * TRIALS * ROUNDS),
    }


def follow(user: User, version: PackVersion, agent: Agent, concurrency: int | None = None) -> float:
    """Seconds from the launch of a run to its end."""
    start = time.perf_counter()
    run = launch(user, version, [agent], Options(concurrency=concurrency))
    while not Run.objects.filter(pk=run.pk, finished_at__isnull=False).exists():
        time.sleep(0.01)
    return time.perf_counter() - start


def measure_replay(user: User, version: PackVersion) -> dict[str, float]:
    """Milliseconds of reading one long trial."""
    trial = tell(user, version, "busy", calls(EVENTS // 2))
    assert trial.event_count > EVENTS
    index = index_of(trial)
    middle = len(index) // 2
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    address = f"/api/v1/trials/{trial.pk}/replay/?limit={WINDOW}"
    acts: dict[str, Callable[[], Any]] = {
        "first window": lambda: steps_at(trial, index_of(trial), range(WINDOW)),
        "window in the middle": lambda: steps_at(trial, index_of(trial), range(middle, middle + WINDOW)),
        "search": lambda: find_steps(trial, index_of(trial), (), "result of call 7"),
        "API": lambda: client.get(address),
    }
    return {work: median_milliseconds(act) for work, act in acts.items()}


def median_milliseconds(act: Callable[[], Any], rounds: int = 15) -> float:
    costs = []
    for _ in range(rounds):
        start = time.perf_counter()
        act()
        costs.append((time.perf_counter() - start) * 1000)
    return statistics.median(costs)


def measure_pair(user: User, version: PackVersion) -> dict[str, float]:
    """Milliseconds of the page that compares two long trials.

    Of the second every 50th call has another argument, and every 70th is followed by a new one.
    """
    changed = [
        event
        for number, pair in enumerate(batched(calls(STEPS)))
        for event in [*(vary(pair) if number % 50 == 49 else pair), *(vary(pair) if number % 70 == 69 else ())]
    ]
    a, b = tell(user, version, "one", calls(STEPS)), tell(user, version, "two", changed)
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    address = f"/replays/compare/?a={a.pk}&b={b.pk}"

    def open_anew() -> None:
        cache.clear()
        assert client.get(address).status_code == 200

    with override_settings(STORAGES=settings.STORAGES | PLAIN_FILES):
        return {
            "first difference of two": median_milliseconds(open_anew, rounds=5),
            "next difference of two": median_milliseconds(lambda: client.get(f"{address}&row=5051")),
        }


def batched(events: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The two events of each call."""
    return [events[place : place + 2] for place in range(0, len(events), 2)]


def vary(pair: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A call with another argument."""
    return [{**event, "payload": {**event["payload"], "arguments": {"other": True}}} for event in pair]


def calls(count: int) -> list[dict[str, Any]]:
    """The events of so many tool calls with half a kilobyte of result each."""
    events = []
    for number in range(count):
        call = {"tool_name": f"tool{number % 7}", "tool_call_id": str(number), "arguments": {"number": number}}
        result = {"content": f"result of call {number} " + "x" * 500, "is_error": number % 997 == 0}
        events += [
            {"type": "tool.call.started", "payload": call},
            {"type": "tool.call.completed", "payload": {**call, "result": result}},
        ]
    return events


def tell(user: User, version: PackVersion, name: str, events: list[dict[str, Any]]) -> Trial:
    """A finished trial of an agent that tells these events."""
    config = {"default": {"output": "Hub 0", "events": events}}
    agent = Agent.objects.create(team=version.pack.team, name=name, kind="scripted", config=config)
    started = launch(user, version, [agent])
    execute_trials(started.pk)
    return started.trials.get()
