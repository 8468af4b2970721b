"""What a benchmark pack of 100,000 short questions costs: checking, importing, exporting, and a live check of one row.

Run by `python -m benchmarks rows`, in a database of its own. Rows a second count processor time, so that a busy machine
does not spoil them; exits with 1 when a target is missed.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from packs.exporting import export_draft
from packs.formats.checking import check_files
from packs.importing import import_pack
from packs.mirror import RowIndex, format_of, node_of
from packs.models import Team

ROWS = 100_000
MANIFEST = b"id: large\nversion: 1\ndefaults:\n  family: short_answer\n  environment:\n    image: python:3.12-slim\n"
LEAST_CHECKED, LEAST_IMPORTED, MOST_MEGABYTES, MOST_MILLISECONDS = 50_000, 8_000, 600, 50


def large_pack(count: int) -> dict[str, bytes]:
    """The files of a pack with so many rows."""
    rows = (
        {
            "id": f"large/row-{number}",
            "input": {"question": f"How many parcels are in van {number}?"},
            "eval": {"accepted_answers": [f"{number} parcels"]},
        }
        for number in range(count)
    )
    return {"manifest.yaml": MANIFEST, "tasks.jsonl": b"".join(orjson.dumps(row) + b"\n" for row in rows)}


def spent(act: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, and what the act gave."""
    start = time.process_time()
    value = act()
    return time.process_time() - start, value


def peak() -> float:
    """The most memory that this process had so far, in megabytes."""
    found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def run() -> int:
    """Print the figures; 1 when a target is missed."""
    team, files = Team.objects.create(slug="bench", name="Bench"), large_pack(ROWS)
    seconds, checked = spent(lambda: check_files(files))
    checking, after_check = ROWS / seconds, peak()
    seconds, row = spent(lambda: import_pack(team, None, files, "large", slug="large"))
    importing, after_import = ROWS / seconds, peak()
    exporting, _ = spent(lambda: export_draft(row))
    last = row.cases.order_by("-position").select_related("input_set").first()
    live = spent(lambda: list(format_of(row).check_node(RowIndex(row), node_of(last))))[0] * 1000
    print(f"check   {checking:10,.0f} rows/s  {after_check:6.0f} MB  {len(checked.findings)} findings")
    print(f"import  {importing:10,.0f} rows/s  {after_import:6.0f} MB")
    print(f"export  {ROWS / exporting:10,.0f} rows/s")
    print(f"live check of the last row  {live:.1f} ms")
    is_slow = checking < LEAST_CHECKED or importing < LEAST_IMPORTED or live > MOST_MILLISECONDS
    return int(is_slow or max(after_check, after_import) > MOST_MEGABYTES)
