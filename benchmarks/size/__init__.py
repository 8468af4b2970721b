"""What pages and exports of a run cost by its size, in both databases.

`python -m benchmarks size [--trials NUMBER ...] [--database sqlite|postgresql ...]` measures the sizes that are named,
1,000 to 1,000,000 trials otherwise, each in a database of its own. The benchmark writes the rows itself; no agent runs.
"""

import argparse
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
    for database in wish.database:
        with ExitStack() as stack:
            for trials in wish.trials:
                address = "" if database == "sqlite" else stack.enter_context(postgres_on(initdb)).address
                run_alone("benchmarks.size.pages", trials, database, address=address)
    return 0
