"""The least that Python can do for trials that wait: asyncio, a check of each answer, and rows in SQLite.

`python -m benchmarks.floor TRIALS SECONDS CONCURRENCY FILE` prints the seconds that it took, without its start. It
stores as many rows of the same size as a trial of ours leaves, every half second, and nothing else.
"""

import asyncio
import sqlite3
import sys
import time
from datetime import UTC, datetime
from typing import Any

import orjson

FLUSH_SECONDS = 0.5
EVENTS = ("run.started", "output.finalized", "run.completed", "scoring.started", "scoring.completed")
TABLES = (
    "CREATE TABLE trial (id INTEGER PRIMARY KEY, status TEXT, output TEXT, scorecard TEXT)",
    "CREATE TABLE event (trial INTEGER, sequence INTEGER, kind TEXT, at TEXT, payload TEXT)",
    "CREATE TABLE grade (trial INTEGER, kind TEXT, score REAL, reason TEXT, detail TEXT)",
)


async def attempt(number: int, seconds: float, rows: dict[str, list[tuple[Any, ...]]]) -> None:
    """One trial: wait, check the answer, leave its rows."""
    await asyncio.sleep(seconds)
    output = "It is at the hub."
    has_passed = "hub" in output
    payload = orjson.dumps({"final_output": output, "source": "agent", "padding": "x" * 160})
    at = datetime.now(UTC).isoformat()
    rows["trial"].append((number, "passed" if has_passed else "failed", output, payload * 6))
    rows["event"] += [(number, sequence, kind, at, payload) for sequence, kind in enumerate(EVENTS)]
    rows["grade"].append((number, "contains", float(has_passed), "found", payload))


async def work(trials: int, seconds: float, concurrency: int, database: sqlite3.Connection) -> None:
    """All trials, so many at a time, saved as they come."""
    rows: dict[str, list[tuple[Any, ...]]] = {"trial": [], "event": [], "grade": []}
    free, flushed = asyncio.Semaphore(concurrency), time.monotonic()

    async def one(number: int) -> None:
        nonlocal flushed
        async with free:
            await attempt(number, seconds, rows)
        if time.monotonic() - flushed >= FLUSH_SECONDS:
            flush(database, rows)
            flushed = time.monotonic()

    await asyncio.gather(*map(one, range(trials)))
    flush(database, rows)


def flush(database: sqlite3.Connection, rows: dict[str, list[tuple[Any, ...]]]) -> None:
    with database:
        for table, found in rows.items():
            marks = ",".join("?" * (len(found[0]) if found else 1))
            database.executemany(f"INSERT INTO {table} VALUES ({marks})", found)
            found.clear()


def main(trials: int, seconds: float, concurrency: int, path: str) -> None:
    database = sqlite3.connect(path)
    database.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;" + ";".join(TABLES))
    began = time.perf_counter()
    asyncio.run(work(trials, seconds, concurrency, database))
    print(time.perf_counter() - began)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
