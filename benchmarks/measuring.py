"""Measuring one act in a fresh process: wall clock, processor time and peak memory."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock, seconds of processor time, and megabytes at the peak of the whole process."""

    wall: float
    cpu: float
    peak: float


def _peak() -> float:
    """Megabytes; unlike the figure of `getrusage`, not inherited from the process that started this one."""
    found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def _measured(act: Callable[[bytes], object], data: bytes) -> Cost:
    wall, cpu = time.perf_counter(), time.process_time()
    act(data)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Cost(wall, cpu, _peak())


def compare(acts: dict[str, Callable[[bytes], object]], data: bytes, rounds: int) -> dict[str, Cost]:
    """The median cost of each act on the same data; the acts take turns, so that a busy machine slows all alike."""
    costs: dict[str, list[Cost]] = {name: [] for name in acts}
    context = get_context("spawn")
    for _ in range(rounds):
        for name, act in acts.items():
            with context.Pool(1) as pool:
                costs[name].append(pool.apply(_measured, (act, data)))
    return {
        name: Cost(*(median(getattr(cost, part) for cost in found) for part in ("wall", "cpu", "peak")))
        for name, found in costs.items()
    }


def table(title: str, cases: int, costs: dict[str, Cost], floor: str) -> str:
    """Lines of text: one act a line, its cost, cases a second, how many times the floor's processor time it takes."""
    lines = [
        f"{title}, {cases:,} cases",
        f"{'':24}{'wall s':>9}{'cpu s':>9}{'peak MB':>9}{'cases/s':>11}{'x floor':>9}",
    ]
    for name, cost in costs.items():
        rate = cases / cost.wall
        times = cost.cpu / costs[floor].cpu
        lines.append(f"{name:24}{cost.wall:9.3f}{cost.cpu:9.3f}{cost.peak:9.0f}{rate:11,.0f}{times:9.2f}")
    return "\n".join(lines) + "\n"
