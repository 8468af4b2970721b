"""`manage.py pack`: import, list and export packs; check, write and look into files without the database."""

import re
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand
from django.db import DatabaseError

from packs.exporting import Export, export_draft, export_variant, export_version, zipped
from packs.formats import FORMATS, adapter_of, document
from packs.formats.archives import read_path
from packs.formats.checking import check_files
from packs.formats.choosing import choose
from packs.formats.command import as_text
from packs.formats.command import main as run_without_database
from packs.formats.comparing import OtherFormatError, as_dict, as_lines, compare_packs
from packs.formats.findings import Finding
from packs.formats.terminal import FINDINGS, FINE, MACHINERY, USAGE
from packs.importing import ImportRefused, import_pack
from packs.management import tables
from packs.management.answers import Misuse, complain, described, refuse, say, say_json, say_unusable
from packs.management.lookup import find_pack, find_team, find_user
from packs.mirror import read_tree, read_version
from packs.models import Pack, PackStatus, PackVersion
from packs.publish import PublishRefused, publish
from packs.quotas import QuotaReached

WITHOUT_DATABASE = {
    "check": "report every finding of packs; needs no database",
    "fmt": "write a pack in its canonical form; needs no database",
    "rename": "give something another name, wherever a pack names it; needs no database",
    "compile": "show the tasks and what each side may see; needs no database",
    "stored": "show the stored document of every case; needs no database",
}
# How `diff` names the draft of a pack, or a version of it.
KNOWN = re.compile(r"([-a-zA-Z0-9_]{1,120})(?:@([0-9]{1,9}))?")


EXIT_CODES = "Ends with 0 when all is fine, 1 for errors in the content, 2 for wrong usage, 3 when the studio failed."


class Command(BaseCommand):
    help = "Import, list, export and compare packs; check, fmt, rename, compile, stored and diff work on files alone."
    requires_system_checks: list[str] = []
    without_database: Mapping[str, str] = WITHOUT_DATABASE

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass the commands that need no database on, options and all; leave with the exit code of the others."""
        on_files = argv[2:3] == ["diff"] and not any(is_known(argument) for argument in argv[3:])
        if on_files or (argv[2:3] and argv[2] in WITHOUT_DATABASE):
            sys.exit(run_without_database(argv[2:]))
        super().run_from_argv(argv)

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
        parser.epilog = EXIT_CODES
        for name, about in self.without_database.items():
            commands.add_parser(name, help=about)
        importing = commands.add_parser("import", help="import a file, folder or archive as a draft")
        importing.add_argument("path", type=Path)
        importing.add_argument("--slug", help="address of the pack (default: the pack's own key)")
        importing.add_argument("--pack", default="", metavar="NAME", help="which pack, of several there")
        importing.add_argument("--format", choices=sorted(FORMATS), help="format (default: recognised)")
        importing.add_argument("--publish", action="store_true", help="publish the draft after the import")
        listing = commands.add_parser("list", help="list the packs of a team")
        listing.add_argument("--archived", action="store_true", help="list archived packs too")
        exporting = commands.add_parser("export", help="write a draft, or a version of it, as files")
        exporting.add_argument("pack", metavar="SLUG[@VERSION]")
        exporting.add_argument("-o", "--output", default="-", metavar="DIR|FILE.zip|-", help="default: standard output")
        exporting.add_argument("--preserve", action="store_true", help="keep the imported bytes of unedited files")
        exporting.add_argument("--variant", metavar="NAME", help="write a draft in another variant of its format")
        comparing = commands.add_parser("diff", help="show what is different between two packs")
        for name in ("old", "new"):
            comparing.add_argument(name, metavar="SLUG[@VERSION]|PATH", help="with two paths no database is needed")
        table = commands.add_parser("table", help="make a pack of a table, or take its rows into a draft")
        tables.add_arguments(table)
        for command in (importing, listing, exporting, comparing, table):
            self.add_common(command)
        for command in (importing, table):
            command.add_argument("--user", metavar="NAME", help="who imports, for the history (default: nobody)")
        self.add_commands(commands)

    def add_common(self, command: ArgumentParser) -> None:
        """The options of every command that needs the database."""
        command.add_argument("--team", default="default", metavar="SLUG", help="the team that owns the pack")
        command.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def add_commands(self, commands: Any) -> None:
        """Further commands of who knows more than packs."""

    def handle(self, *args: Any, **options: Any) -> None:
        act = {
            "import": self.import_files,
            "list": self.list_packs,
            "export": self.export_files,
            "diff": self.compare,
            "table": self.take_table,
        }[options["command"]]
        try:
            code = act(options)
        except Misuse as misuse:
            refuse(self, misuse, options)
            code = USAGE
        except QuotaReached as reached:
            refuse(self, Misuse(reached.message, reached.code), options)
            code = USAGE
        except OSError as error:
            refuse(self, Misuse(described(error), "file"), options)
            code = USAGE if isinstance(error, FileNotFoundError | IsADirectoryError | NotADirectoryError) else MACHINERY
        except DatabaseError as error:
            say_unusable(self, error, options)
            code = MACHINERY
        if code:
            sys.exit(code)

    def import_files(self, options: dict[str, Any]) -> int:
        team = find_team(options["team"])
        user = find_user(options["user"])
        files, before = read_path(options["path"])
        files, missing = choose(files, options["pack"])
        wanted = {"format": options["format"], "slug": options["slug"]}
        try:
            row = import_pack(team, user, files, options["path"].name, before=[*before, *missing], **wanted)
        except ImportRefused as refused:
            return self.refuse(options, "import_refused", refused.findings)
        version = None
        if options["publish"]:
            try:
                version = publish(row, user)
            except PublishRefused as refused:
                return self.refuse(options, refused.code, refused.findings, str(refused))
        self.answer(options, facts_of(row, version))
        return FINE

    def list_packs(self, options: dict[str, Any]) -> int:
        rows = Pack.objects.filter(team=find_team(options["team"])).select_related("team").order_by("slug")
        if not options["archived"]:
            rows = rows.exclude(status=PackStatus.ARCHIVED)
        packs = [facts_of(row, row.versions.order_by("-number").first()) for row in rows.defer("document", "findings")]
        if options["json"]:
            say_json(self, {"packs": packs})
            return FINE
        for facts in packs:
            self.answer(options, facts)
        if not packs:
            say(self, "There are no such packs.")
        return FINE

    def take_table(self, options: dict[str, Any]) -> int:
        team, user = find_team(options["team"]), find_user(options["user"])
        try:
            facts = tables.take(team, user, options)
        except ImportRefused as refused:
            return self.refuse(options, refused.code, refused.findings)
        self.answer(options, facts)
        return FINE

    def export_files(self, options: dict[str, Any]) -> int:
        slug, at, number = options["pack"].partition("@")
        row = find_pack(find_team(options["team"]), slug)
        if at and (options["preserve"] or options["variant"]):
            raise Misuse("A version is written as it was published: --preserve and --variant are for drafts.")
        if at:
            return self.write(options, export_version(find_version(row, number)))
        return self.write(options, self.draft_of(row, options))

    def compare(self, options: dict[str, Any]) -> int:
        old, new = (self.tree_of(options, options[name]) for name in ("old", "new"))
        try:
            found = compare_packs(adapter_of(old.format), old, new)
        except OtherFormatError as other:
            raise Misuse(str(other)) from other
        if options["json"]:
            say_json(self, as_dict(found.nodes))
        else:
            for line in as_lines(found):
                say(self, line)
        return FINDINGS if found.nodes else FINE

    def tree_of(self, options: dict[str, Any], name: str) -> document.Pack:
        """The pack in a file or folder, the draft of a pack, or a version of it."""
        if not is_known(name):
            files, before = read_path(Path(name))
            checked = check_files(files, before=before)
            if checked.pack is None:
                raise Misuse(f"{name} cannot be read: {checked.findings[0].message}")
            return checked.pack
        slug, _, number = name.partition("@")
        row = find_pack(find_team(options["team"]), slug)
        return read_version(find_version(row, number)) if number else read_tree(row)

    def draft_of(self, row: Pack, options: dict[str, Any]) -> Export:
        """The draft as the options ask; what another variant of the format cannot say goes to standard error."""
        if options["variant"] is None:
            return export_draft(row, preserve=options["preserve"])
        try:
            export, losses = export_variant(row, options["variant"])
        except KeyError as unknown:
            raise Misuse(f"The format {row.format} has no variant {options['variant']!r}.") from unknown
        for loss in losses:
            complain(self, f"{loss.file}: {loss.field}: {loss.outcome}")
        return export

    def write(self, options: dict[str, Any], export: Export) -> int:
        target = options["output"]
        if target == "-":
            self.write_out(options, export)
            return FINE
        if target.endswith(".zip"):
            Path(target).write_bytes(zipped(export))
        else:
            write_folder(Path(target), export)
        self.answer(options, {"files": sorted(export.files), "digest": export.digest, "output": target})
        return FINE

    def write_out(self, options: dict[str, Any], export: Export) -> None:
        """One file as it is, several as a zip; with `--json` the texts."""
        if options["json"]:
            texts = {name: as_text(content) for name, content in export.files.items()}
            say_json(self, {"files": texts, "digest": export.digest})
            return
        content = next(iter(export.files.values())) if export.is_single else zipped(export)
        self.stdout.flush()
        stream = getattr(self.stdout, "buffer", None)
        if stream is None:
            self.stdout.write(content.decode("utf-8", "replace"), ending="")
        else:
            stream.write(content)

    def refuse(self, options: dict[str, Any], code: str, findings: list[Finding], message: str = "") -> int:
        if options["json"]:
            say_json(self, {"code": code, "message": message, "findings": [finding.as_dict() for finding in findings]})
        else:
            for finding in findings:
                place = ":".join(str(part) for part in (finding.file, finding.line, finding.column) if part)
                where = f" ({finding.field_path})" if finding.field_path else ""
                head = f"{place}: " if place and finding.line else ""
                complain(self, f"{head}{finding.severity} {finding.code} {finding.message}{where}")
                complain(self, *filter(None, [finding.hint and f"    {finding.hint}"]))
            complain(self, message or "Nothing was imported.")
        return FINDINGS

    def answer(self, options: dict[str, Any], facts: dict[str, Any]) -> None:
        if options["json"]:
            say_json(self, facts)
        else:
            say(self, "  ".join(f"{name}: {value}" for name, value in facts.items() if value is not None))


def is_known(argument: str) -> bool:
    """Whether an argument of `diff` names a pack of the studio: it looks like one, and no file has this name."""
    return KNOWN.fullmatch(argument) is not None and not argument.startswith("-") and not Path(argument).exists()


def find_version(row: Pack, number: str) -> PackVersion:
    """Raises Misuse where the pack has no such version."""
    version: PackVersion | None = (
        row.versions.filter(number=int(number)).first() if re.fullmatch(r"[0-9]{1,9}", number) else None
    )
    if version is None:
        known = ", ".join(str(found) for found in row.versions.values_list("number", flat=True)) or "none"
        raise Misuse(f"{row.slug} has no version {number!r}. Versions: {known}.")
    return version


def write_folder(folder: Path, export: Export) -> None:
    for name, content in export.files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def facts_of(row: Pack, version: PackVersion | None) -> dict[str, Any]:
    """What `import` and `list` say of a pack and a version of it."""
    return {
        "slug": row.slug,
        "team": row.team.slug,
        "format": row.format,
        "revision": row.revision,
        "challenges": row.challenges.count(),
        "input_sets": row.input_sets.count(),
        "cases": row.cases.count(),
        "errors": row.problem_errors,
        "warnings": row.problem_warnings,
        "version": version.number if version else None,
    }
