"""What drafts cost: import, live checks, a whole check, publishing and export, in small and large packs.

Run by `python -m benchmarks drafts`, in a database of its own (see `benchmarks.database`).
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks.packs import simple_pack
from packs import editing, publish
from packs.editing import Change
from packs.exporting import export_draft
from packs.importing import import_pack
from packs.models import Team

SIZES = (10, 1_000, 10_000)
EDITS = 30
# Milliseconds in the largest pack.
TARGETS = {"import": 2_500.0, "edit of a field": 50.0, "whole check": 1_000.0, "export": 1_000.0}


def timed(act: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    value = act()
    return (time.perf_counter() - start) * 1000, value


def median_edit(row: Any, case: Any, pointer: str) -> float:
    """Milliseconds of one edit with its live check."""
    costs = []
    for number in range(EDITS):
        change = Change(case.kind, case.pk, pointer, f"{pointer} {number}")
        costs.append(timed(lambda change=change: editing.apply(row, [change], None, row.revision))[0])
    return statistics.median(costs)


def measure(team: Team, size: int) -> dict[str, float]:
    """Milliseconds per work in a pack of `size` cases."""
    found: dict[str, float] = {}
    files = {"pack.yaml": simple_pack(size)}
    found["import"], row = timed(lambda: import_pack(team, None, files, "pack.yaml", slug=f"pack-{size}"))
    case = row.cases.order_by("position")[size // 2]
    found["edit of a field"] = median_edit(row, case, "/inputs/0/value")
    found["edit of a key"] = median_edit(row, case, "/case_key")
    found["new case"], _ = timed(lambda: editing.duplicate_node(row, case.kind, case.pk, None))
    found["whole check"], _ = timed(lambda: editing.recheck(row))
    found["export"], _ = timed(lambda: export_draft(row))
    found["publish"], _ = timed(lambda: publish.publish(row, None))
    cases = row.input_sets.get()
    found["remove the set"], _ = timed(lambda: editing.remove_node(row, cases.kind, cases.pk, None))
    found["undo of that"], _ = timed(lambda: editing.undo(row, None))
    return found


def run() -> int:
    """Print the table; 1 when a target is missed."""
    team = Team.objects.create(slug="bench", name="Bench")
    results = {size: measure(team, size) for size in SIZES}
    largest = results[SIZES[-1]]
    print(f"{'milliseconds':24}" + "".join(f"{size:>10,}" for size in SIZES) + f"{'target':>10}")
    for work in largest:
        target = f"{TARGETS[work]:10,.0f}" if work in TARGETS else ""
        print(f"{work:24}" + "".join(f"{results[size][work]:10,.1f}" for size in SIZES) + target)
    return int(any(largest[work] > target for work, target in TARGETS.items()))
