"""What a rows file of 200 MB costs in the jobs of the browser: looked at, imported, exported.

Run by `python -m benchmarks jobs`, in a process and a database of its own; exits with 1 when memory passes the target.
"""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User

from benchmarks.rows import MANIFEST, MOST_MEGABYTES, ROWS, forget_peak, large_pack, peak, spent
from packs import blobs
from packs.access import Role
from packs.jobs import execute_job
from packs.models import Blob, Job, Membership, Team

PADDING = 1_960


def run() -> int:
    """Print the figures; 1 when a target is missed."""
    team, user = Team.objects.create(slug="bench", name="Bench"), User.objects.create_user("author")
    Membership.objects.create(team=team, user=user, role=Role.AUTHOR)
    return int(long_rows(team, user))


def write(path: Path) -> None:
    path.write_bytes(large_pack(ROWS, PADDING)["tasks.jsonl"])


def written_elsewhere() -> str:
    """The digest of the stored rows file, made by another process, so that its memory does not count for this one."""
    with tempfile.TemporaryDirectory(prefix="packwright-bench-") as folder:
        path = Path(folder) / "tasks.jsonl"
        code = f"from pathlib import Path; from benchmarks.jobs import write; write(Path({str(path)!r}))"
        subprocess.run([sys.executable, "-c", f"import django; django.setup(); {code}"], check=True)
        with path.open("rb") as file:
            return blobs.put_stream(iter(lambda: file.read(1_000_000), b"")).digest


def job(kind: str, team: Team, user: User, **columns: Any) -> tuple[float, Job, float]:
    """Do the work of a job here and now: its seconds, the job, the peak of memory."""
    row = Job.objects.create(kind=kind, team=team, user=user, title=kind, **columns)
    forget_peak()
    seconds, _ = spent(lambda: execute_job(row.pk))
    row.refresh_from_db()
    if row.status != "completed":
        raise RuntimeError(f"{kind}: {row.status} {row.error}")
    return seconds, row, peak()


def long_rows(team: Team, user: User) -> bool:
    """200 MB by the jobs of the browser."""
    stored = {"manifest.yaml": blobs.put(MANIFEST).digest, "tasks.jsonl": written_elsewhere()}
    size = Blob.objects.get(pk=stored["tasks.jsonl"]).size / 1e6
    given = {"files": stored, "name": "upload.zip", "slug": "long"}
    looking, looked, look_peak = job("look", team, user, parameters=given)
    importing, done, import_peak = job("import", team, user, parameters={"token": looked.outcome["token"]})
    exporting, _, export_peak = job("export", team, user, pack=done.pack)
    print(f"{size:.0f} MB in jobs:")
    for name, seconds, megabytes in (
        ("check and preview", looking, look_peak),
        ("import", importing, import_peak),
        ("export", exporting, export_peak),
    ):
        print(f"  {name:20}{ROWS / seconds:10,.0f} rows/s  {megabytes:6.0f} MB")
    return max(look_peak, import_peak) > MOST_MEGABYTES
