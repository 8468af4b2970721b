"""`manage.py backup`: the whole studio as one file, which `manage.py restore` takes back.

Ends with 0 when all of it was saved, 1 when stored files are missing or damaged, 2 for wrong usage, 3 when nothing
could be saved.
"""

import sys
from argparse import ArgumentParser
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand
from django.db import DatabaseError

from packs.formats.terminal import FINDINGS, FINE, MACHINERY, USAGE
from packs.management.answers import Misuse, complain, described, refuse, say, say_json, say_unusable
from studio.backups.archive import Damaged, Manifest
from studio.backups.saving import fresh_name, save


class Command(BaseCommand):
    help = "Save all rows and files of the studio as one file, and read it back. Work can go on meanwhile."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", metavar="PATH", help="the file to write, or a folder for a file named by the time")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["path"])
        if path.is_dir():
            path /= fresh_name(datetime.now(UTC))
        code = USAGE
        try:
            if path.exists():
                raise Misuse(f"{path} is there already. Name a new file.")
            manifest = save(path, progress(self, options))
            self.tell(path, manifest, options)
            code = FINDINGS if manifest.lost else FINE
        except Misuse as misuse:
            refuse(self, misuse, options)
        except (OSError, Damaged) as error:
            reason = described(error) if isinstance(error, OSError) else str(error)
            refuse(self, Misuse(f"Nothing was saved: {reason}", "machinery"), options)
            code = MACHINERY
        except DatabaseError as error:
            say_unusable(self, error, options)
            code = MACHINERY
        if code:
            sys.exit(code)

    def tell(self, path: Path, manifest: Manifest, options: dict[str, Any]) -> None:
        if options["json"]:
            say_json(self, {"path": str(path), **figures(manifest)})
            return
        say(self, f"{path}: {sentence(manifest)}")
        say(
            self,
            "Keep the signing key, or PACKWRIGHT_ENCRYPTION_KEY, too: stored keys of connections open with it alone.",
        )
        if manifest.lost:
            complain(self, f"{len(manifest.lost):,} stored files are missing or damaged and were left out:")
            complain(self, *(f"  {digest}" for digest in manifest.lost[:20]))


def progress(command: BaseCommand, options: dict[str, Any]) -> Any:
    """What reports how far a backup is: on a terminal, one line that is written over."""

    def tick(name: str) -> None:
        if not options["json"] and command.stderr.isatty():
            command.stderr.write(f"\r\033[K{name}", ending="")
            command.stderr.flush()

    return tick


def figures(manifest: Manifest) -> dict[str, Any]:
    return {
        "made_at": manifest.made_at,
        "tables": {name: table.rows for name, table in manifest.tables.items()},
        "rows": manifest.rows,
        "files": len(manifest.files),
        "bytes": manifest.size,
        "lost": manifest.lost,
    }


def sentence(manifest: Manifest) -> str:
    files = f"{len(manifest.files):,} files ({manifest.size:,} bytes)"
    return f"{manifest.rows:,} rows of {len(manifest.tables)} tables, {files}."
