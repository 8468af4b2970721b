"""What a benchmark pack of 100,000 rows costs: checking, importing, exporting, its grid, and a live check of one row.

Run by `python -m benchmarks rows`, in a database of its own. Rows a second and milliseconds of the grid count processor
time, so that a busy machine does not spoil them; exits with 1 when a target is missed.
"""

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.test.utils import override_settings

from benchmarks.workbench import PLAIN_FILES
from packs.access import Role
from packs.editing import undo
from packs.exporting import export_draft
from packs.formats.checking import check_files
from packs.grid.queries import PAGE
from packs.importing import import_pack
from packs.mirror import RowIndex, format_of, node_of
from packs.models import Membership, Pack, Team

ROWS = 100_000
MANIFEST = b"id: large\nversion: 1\ndefaults:\n  family: short_answer\n  environment:\n    image: python:3.12-slim\n"
LEAST_CHECKED, LEAST_IMPORTED, MOST_MEGABYTES, MOST_MILLISECONDS = 50_000, 8_000, 600, 50
FIRST_PAGE, FILTER, SORTED, CELL = 300, 500, 200, 25
LAST_PAGE = f"page={ROWS // PAGE}"
# Filters of the grid by what they ask.
FILTERS = {
    "words": "q=van+777",
    "a word of every row": "q=parcels+are",
    "one column": "q=input.question:777",
    "a family": "is:/family=short_answer",
    "a value": "column=/input/question&value=How+many+parcels+are+in+van+77%3F",
    "problems": "problems=any",
    "sorted by key": "sort=-key",
    "sorted by a value": "sort=/input/question",
    "sorted down, last page": f"sort=-/input/question&{LAST_PAGE}",
}


def large_pack(count: int, padding: int = 0) -> dict[str, bytes]:
    """The files of a pack with so many rows, each with a context of so many characters."""
    rows = (
        {
            "id": f"large/row-{number}",
            "input": {
                "question": f"How many parcels are in van {number}?",
                **({"context": f"{number:06} parcels came by van. " * (padding // 28)} if padding else {}),
            },
            "eval": {"accepted_answers": [f"{number} boxes"]},
        }
        for number in range(count)
    )
    return {"manifest.yaml": MANIFEST, "tasks.jsonl": b"".join(orjson.dumps(row) + b"\n" for row in rows)}


def spent(act: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of processor time, and what the act gave."""
    start = time.process_time()
    value = act()
    return time.process_time() - start, value


def peak(process: int | str = "self") -> float:
    """The most memory that a process had since `forget_peak`, in megabytes."""
    found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def forget_peak() -> None:
    """Count the peak from now on."""
    Path("/proc/self/clear_refs").write_text("5")


def run() -> int:
    """Print the figures; 1 when a target is missed."""
    team, user = Team.objects.create(slug="bench", name="Bench"), User.objects.create_user("author")
    Membership.objects.create(team=team, user=user, role=Role.AUTHOR)
    return int(short_rows(team, user))


def short_rows(team: Team, user: User) -> bool:
    """Short questions: the functions themselves, the grid, a bulk edit."""
    files = large_pack(ROWS)
    forget_peak()
    seconds, checked = spent(lambda: check_files(files))
    checking, after_check = ROWS / seconds, peak()
    forget_peak()
    seconds, row = spent(lambda: import_pack(team, user, files, "large", slug="large"))
    importing, after_import = ROWS / seconds, peak()
    exporting, _ = spent(lambda: export_draft(row))
    last = row.cases.order_by("-position").select_related("input_set").first()
    live = spent(lambda: list(format_of(row).check_node(RowIndex(row), node_of(last))))[0] * 1000
    print(f"check   {checking:10,.0f} rows/s  {after_check:6.0f} MB  {len(checked.findings)} findings")
    print(f"import  {importing:10,.0f} rows/s  {after_import:6.0f} MB")
    print(f"export  {ROWS / exporting:10,.0f} rows/s")
    print(f"live check of the last row  {live:.1f} ms")
    is_slow = checking < LEAST_CHECKED or importing < LEAST_IMPORTED or live > MOST_MILLISECONDS
    return grid(row, user) | is_slow | (max(after_check, after_import) > MOST_MEGABYTES)


def grid(row: Pack, user: User) -> bool:
    """The pages of the grid, a cell while it is typed, a bulk edit of a thousand rows with its undo."""
    client = Client(headers={"host": "localhost"})
    client.force_login(user)
    base = f"/packs/{row.team.slug}/{row.slug}/edit/"
    url, cell = f"{base}sets/{row.input_sets.get().pk}/rows/", f"{base}cases/{row.cases.last().pk}/cell/check/"
    typed = {"at": "/input/question", "text": "How many?"}
    ids = list(row.cases.order_by("position").values_list("pk", flat=True)[:1000])
    wish = {"act": "edit", "case": ids, "pointer": "/input/question", "what": "set", "text": "Why?", "go": "1"}
    with override_settings(STORAGES={**settings.STORAGES, **PLAIN_FILES}):
        costs = {"first page": FIRST_PAGE, "last page": FIRST_PAGE, **dict.fromkeys(FILTERS, FILTER)}
        costs |= {"sorted by a value": SORTED, "sorted down, last page": FILTER, "a cell": CELL}
        asked = {"first page": "", "last page": LAST_PAGE, **FILTERS}
        client.get(url)
        found = {name: spent(lambda query=query: client.get(f"{url}?{query}"))[0] for name, query in asked.items()}
        found["a cell"] = spent(lambda: client.post(cell, typed))[0]
        found["edit 1,000 rows"] = spent(lambda: client.post(f"{url}bulk/", wish))[0]
        row.refresh_from_db()
        found["undo of that"] = spent(lambda: undo(row, user))[0]
    print(f"{'grid':24}{'ms':>8}{'target':>8}")
    for name, seconds in found.items():
        print(f"  {name:22}{seconds * 1000:8.0f}{costs.get(name, ''):>8}")
    return any(seconds * 1000 > costs[name] for name, seconds in found.items() if name in costs)
