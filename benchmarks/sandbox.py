"""What sandboxes cost: starting a program beside bubblewrap by hand, 1,000 trials of `/bin/cat` beside bare starts.

Run by `python -m benchmarks sandbox`, in a database of its own (see `benchmarks.database`), with the embedded broker.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from benchmarks.runs import publish_cases
from packs.access import Role
from packs.models import Membership, PackVersion, Team
from runs.jobs.queue.workers import worker_health
from runs.launch.launching import Options, launch
from runs.models import Agent, Trial, TrialStatus
from runs.sandbox import SANDBOXES, bubblewrap
from runs.sandbox.bubblewrap.arguments import options_of_command
from runs.sandbox.contract import Command, Room

TRIALS = 1_000
ROUNDS = 5
CONCURRENCY = 8
CORES = 2
STARTS = 60
BARE_STARTS = 400
LINKS = [option for name in ("bin", "lib", "lib64") for option in ("--symlink", f"usr/{name}", f"/{name}")]
BARE = ["bwrap", "--unshare-all", "--ro-bind", "/usr", "/usr", *LINKS]
# Times of the start by hand; shares of the rates of starts by hand.
TARGETS = {
    "start, times the same by hand": 1.5,
    "local, share of bare": 0.4,
    "bubblewrap, share of bwrap by hand": 0.6,
}


def run() -> int:
    """Print the table; 1 when a target is missed."""
    team = Team.objects.create(slug="bench", name="Bench")
    user = User.objects.create_user("bench")
    Membership.objects.create(team=team, user=user, role=Role.ADMINISTRATOR)
    found = {**measure_starts(), **measure_trials(team, user)}
    print(f"{'sandbox':44}{'measured':>12}{'target':>10}")
    missed = 0
    for work, value in found.items():
        target = TARGETS.get(work)
        print(f"{work:44}{value:12,.2f}" + (f"{target:10,.2f}" if target else ""))
        missed += bool(target and (value > target if "times" in work else value < target))
    return int(missed > 0)


def measure_starts() -> dict[str, float]:
    """Milliseconds of starting `true`, medians; the ways take turns, so that a busy machine slows all alike."""
    with bubblewrap.open_workspace(Room()) as workspace, SANDBOXES["local"].open_workspace(Room()) as local:
        hand = by_hand(workspace, "/usr/bin/true")
        ways: dict[str, Callable[[], object]] = {
            "bare": lambda: bare(["/usr/bin/true"]),
            "bwrap, nothing but /usr": lambda: bare([*BARE, "/usr/bin/true"]),
            "bwrap, the same by hand": lambda: bare(hand),
            "bubblewrap": lambda: workspace.run(Command(["/usr/bin/true"])),
            "local": lambda: local.run(Command(["/usr/bin/true"])),
        }
        costs: dict[str, list[float]] = {name: [] for name in ways}
        # In a thread, as trials are: only there a start can join a control group without stopping the machine.
        with ThreadPoolExecutor(1) as pool:
            for _ in range(STARTS):
                for name, act in ways.items():
                    costs[name].append(pool.submit(milliseconds, act).result())
    found = {f"start of {name}, ms": statistics.median(taken) for name, taken in costs.items()}
    own = found["start of bubblewrap, ms"]
    return {
        **found,
        "start, times the same by hand": own / found["start of bwrap, the same by hand, ms"],
        "start, times bwrap with nothing but /usr": own / found["start of bwrap, nothing but /usr, ms"],
    }


def bare(arguments: list[str]) -> None:
    subprocess.run(arguments, input=b"a question", capture_output=True, check=True, env={"PATH": "/usr/bin:/bin"})


def milliseconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return (time.perf_counter() - start) * 1000


def measure_trials(team: Team, user: User) -> dict[str, float]:
    """Trials a second of runs with everything stored, and their share of the rates of starts by hand between them.

    In bubblewrap a start by hand is the command that confines as much as the sandbox does; one that only hides the
    machine behind namespaces is given beside it.
    """
    version = publish_cases(team, user, TRIALS)
    agent = Agent.objects.create(team=team, name="cat", kind="command", config={"arguments": ["/bin/cat"]})
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    for folder in (options["data_folder_in"], options["control_folder"], settings.STATIC_ROOT):
        Path(folder).mkdir(parents=True, exist_ok=True)
    found = measure_kind("local", {"bare": ["/bin/cat"]}, user, version, agent)
    with bubblewrap.open_workspace(Room()) as workspace:
        ways = {"bwrap by hand": by_hand(workspace, "/bin/cat"), "bwrap, nothing but /usr": [*BARE, "/bin/cat"]}
        return found | measure_kind("bubblewrap", ways, user, version, agent)


def measure_kind(
    kind: str, ways: dict[str, list[str]], user: User, version: PackVersion, agent: Agent
) -> dict[str, float]:
    """Medians of some rounds of one kind of sandbox; each way of starting by hand takes its turn in every round.

    A run before them is not counted: processes that have just begun do everything for the first time.
    """
    rates: dict[str, list[float]] = {name: [] for name in ways}
    trials = []
    with worker(kind):
        follow(user, version, agent)
        for _ in range(ROUNDS):
            for name, arguments in ways.items():
                rates[name].append(rate(arguments))
            trials.append(TRIALS / follow(user, version, agent))
    reached = statistics.median(trials)
    found = {f"{kind}, trials/s": reached}
    for name, measured in rates.items():
        found[f"{kind}, {name}, starts/s"] = statistics.median(measured)
        found[f"{kind}, share of {name}"] = reached / statistics.median(measured)
    return found


def by_hand(workspace: bubblewrap.BubblewrapWorkspace, program: str) -> list[str]:
    """The command line that confines a program as the sandbox does."""
    options = [*workspace.inside.arguments([]), *options_of_command("/workspace", {"PATH": "/usr/bin"})]
    return ["bwrap", *options, "--", *workspace.inside.program([program])]


def rate(arguments: list[str]) -> float:
    """Starts a second, two at a time."""
    start = time.perf_counter()
    with ThreadPoolExecutor(CORES) as pool:
        list(pool.map(bare, [arguments] * BARE_STARTS))
    return BARE_STARTS / (time.perf_counter() - start)


@contextmanager
def worker(kind: str) -> Iterator[None]:
    """A worker process that runs programs in this kind of sandbox."""
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "studio",
        "worker",
        "--pool",
        "prefork",
        "--concurrency",
        str(CORES),
    ]
    chosen = {"PACKWRIGHT_SANDBOX": kind, "PACKWRIGHT_ALLOW_LOCAL_COMMANDS": "true"}
    process = subprocess.Popen(
        [*command, "--concurrency", str(CORES), "--without-gossip", "--without-mingle"],
        env={**os.environ, **chosen},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not worker_health().workers:
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait()


def follow(user: User, version: PackVersion, agent: Agent) -> float:
    """Seconds from the launch of a run to its end, which every trial reaches."""
    start = timezone.now()
    run = launch(user, version, [agent], Options(concurrency=CONCURRENCY))
    while run.finished_at is None:
        # Seldom, since whoever looks takes from what is measured; the row knows the moment of the end.
        time.sleep(0.1)
        run.refresh_from_db(fields=["finished_at"])
    errors = Trial.objects.filter(run=run, status=TrialStatus.ERROR)
    assert not errors.exists(), errors.first().error
    return (run.finished_at - start).total_seconds()
