"""`manage.py run import-traces` and `run trace`: trials of elsewhere come in, one of ours goes out."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User

from packs.formats.findings import Finding
from packs.formats.terminal import json_text
from packs.models import PackVersion
from runs.models import Run, Trial
from runs.results.importing import Import, Wish, import_records, look, read_records
from runs.results.importing.reading import Records
from runs.results.tracing import trial_record, trial_trace


def add_arguments(add_parser: Callable[..., ArgumentParser]) -> None:
    """Declare both commands."""
    taking = add_parser("import-traces", help="make a run of trial records or traces that were made elsewhere")
    taking.add_argument("pack", metavar="SLUG[@VERSION]", help="default: the newest version that can be run")
    taking.add_argument("files", type=Path, nargs="+", metavar="FILE", help="JSON, one record a line, or a ZIP")
    taking.add_argument("--case", default="", metavar="KEY", help="the case of records that name none")
    taking.add_argument("--name", default="", help="name of the run")
    taking.add_argument("--team", default="default", metavar="SLUG", help="the team that owns the pack")
    taking.add_argument("--user", metavar="NAME", help="who imports (default: nobody)")
    taking.add_argument("--dry-run", action="store_true", help="say what would be made, and write nothing")
    taking.add_argument("--wait", action="store_true", help="follow the run; exit with 1 unless all trials pass")
    taking.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    telling = add_parser("trace", help="write a trial as a trial record, or its trace alone")
    telling.add_argument("id", type=int, metavar="TRIAL", help="the number of a trial that has ended")
    telling.add_argument("--as", dest="kind", choices=("record", "trace"), default="record", help="default: record")
    telling.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")


def look_into(version: PackVersion, files: Iterable[Path], wish: Wish) -> Import:
    """What the records of some files would become. Raises OSError for a file that cannot be read."""
    given = Records()
    for path in files:
        read = read_records(path.name, path.read_bytes())
        given.records += read.records
        given.findings += read.findings
    return look(version, given, wish)


def take(found: Import, user: User | None) -> Run:
    """Make the run. Raises ImportRefused, LaunchRefused."""
    return import_records(found, user)


def told(found: Import) -> dict[str, Any]:
    """What an import would do, as JSON values."""
    return {
        "can_import": found.can_import,
        "trials": len(found.planned),
        "agents": found.agents,
        "cases": found.cases,
        "findings": [finding.as_dict() for finding in found.findings],
    }


def line_of(finding: Finding) -> str:
    """A finding as a line: where, how much it matters, what."""
    place = ":".join(str(part) for part in (finding.file, finding.line) if part)
    where = f" ({finding.field_path})" if finding.field_path else ""
    return f"{place or '-'}: {finding.severity} {finding.code} {finding.message}{where}"


def trace_text(trial: Trial, kind: str) -> str:
    """A trial as JSON text: its record, or its trace alone."""
    value = trial_trace(trial) if kind == "trace" else trial_record(trial)
    return json_text(value)
