"""What pages and exports of a run cost by its size, in both databases.

`python -m benchmarks size [--trials NUMBER ...] [--database sqlite|postgresql ...]` measures the sizes that are named,
1,000 to 1,000,000 trials otherwise, each in a database of its own, and says how costs grow from the smallest size
on. Then it measures a replay of 100,000 events and 200 MB. The benchmark writes the rows itself; no agent runs.
"""

import argparse
from collections.abc import Mapping
from contextlib import ExitStack

from benchmarks.database import run_alone
from tests.services import initdb, postgres_on

SIZES = (1_000, 10_000, 100_000, 1_000_000)
DATABASES = ("sqlite", "postgresql")


def main(arguments: list[str]) -> int:
    """Measure each size in each database."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks size")
    parser.add_argument("--trials", type=int, nargs="+", default=SIZES)
    parser.add_argument("--database", choices=DATABASES, nargs="+", default=DATABASES)
    wish = parser.parse_args(arguments)
    missed = 0
    for database in wish.database:
        with ExitStack() as stack:
            costs = {}
            for trials in wish.trials:
                costs[trials] = run_alone("benchmarks.size.pages", trials, database, address=place_of(database, stack))
            print_growth(database, costs)
            missed += run_alone("benchmarks.size.replays", address=place_of(database, stack))
    return int(missed > 0)


def place_of(database: str, stack: ExitStack) -> str:
    """The address of an empty database."""
    return "" if database == "sqlite" else stack.enter_context(postgres_on(initdb)).address


def print_growth(database: str, costs: Mapping[int, Mapping[str, float]]) -> None:
    """How many times what it takes at the smallest size each act takes at the others."""
    first, *others = sorted(costs)
    print(
        f"growth, {database}: times what {first:,} trials take\n  {'':28}" + "".join(f"{size:>12,}" for size in others)
    )
    for name, least in costs[first].items():
        print(f"  {name:28}" + "".join(f"{costs[size][name] / max(least, 1e-9):12.1f}" for size in others))
