"""`manage.py run import-traces`: trials of elsewhere come in."""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

from django.core.management import BaseCommand

from packs.formats.findings import Finding
from packs.management.answers import Misuse, complain, say, say_json
from packs.management.lookup import find_team, find_user
from packs.models import PackVersion
from runs.launch.refusals import LaunchRefused
from runs.management import FAILED, FINE
from runs.management.acts import Act, Given
from runs.management.acts.following import follow
from runs.management.acts.showing import describe
from runs.management.lookup import find_version
from runs.results.importing import Import, Wish, import_records, look, read_records
from runs.results.importing.reading import Records


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("pack", metavar="SLUG[@VERSION]", help="default: the newest version that can be run")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="JSON, one record a line, or a ZIP")
    parser.add_argument("--case", default="", metavar="KEY", help="the case of records that name none")
    parser.add_argument("--name", default="", help="name of the run")
    parser.add_argument("--team", default="default", metavar="SLUG", help="the team that owns the pack")
    parser.add_argument("--user", metavar="NAME", help="who imports (default: nobody)")
    parser.add_argument("--dry-run", action="store_true", help="say what would be made, and write nothing")
    parser.add_argument("--wait", action="store_true", help="follow the run; exit with 1 unless all trials pass")
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")


def import_traces(command: BaseCommand, options: Given) -> int:
    """Make a run of records, whole or not at all."""
    version = find_version(find_team(options["team"]), options["pack"])
    wish = Wish(options["case"], options["name"])
    try:
        found = look_into(version, options["files"], wish)
        if options["dry_run"] or not found.can_import:
            return describe_import(command, found, options)
        run = import_records(found, find_user(options["user"]))
    except OSError as error:
        raise Misuse(f"{error.filename}: {error.strerror}") from error
    except LaunchRefused as refused:
        raise Misuse(refused.message, refused.code, refused.choices) from refused
    if options["wait"]:
        return follow(command, run, options)
    describe(command, run, options)
    return FINE


def describe_import(command: BaseCommand, found: Import, options: Given) -> int:
    """What an import would do, and what stands against it."""
    if options["json"]:
        say_json(command, found.as_dict())
    else:
        for finding in found.findings:
            complain(command, line_of(finding))
        say(command, f"{len(found.planned)} of {found.given} records can become trials.")
    return FINE if found.can_import else FAILED


def look_into(version: PackVersion, files: Iterable[Path], wish: Wish) -> Import:
    """What the records of some files would become. Raises OSError for a file that cannot be read."""
    given = Records()
    for path in files:
        read = read_records(path.name, path.read_bytes())
        given.records += read.records
        given.findings += read.findings
    return look(version, given, wish)


def line_of(finding: Finding) -> str:
    """A finding as a line: where, how much it matters, what."""
    place = ":".join(str(part) for part in (finding.file, finding.line) if part)
    where = f" ({finding.field_path})" if finding.field_path else ""
    return f"{place or '-'}: {finding.severity} {finding.code} {finding.message}{where}"


IMPORT = Act(add_arguments, import_traces)
