"""`manage.py restore`: make this studio what a file of `manage.py backup` says.

Ends with 0 when all is there, 1 when the file is damaged, 2 when this studio does not take it, 3 when the database or
the disk fails. Unless it ends with 0 the rows are as they were.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand
from django.db import DatabaseError

from packs.formats.terminal import FINDINGS, FINE, MACHINERY, USAGE
from packs.management.answers import Misuse, complain, described, refuse, say, say_json
from studio.backups.archive import Damaged, Manifest, opened
from studio.backups.restoring import Refused, opens, restore
from studio.management.commands.backup import figures, progress, sentence


class Command(BaseCommand):
    help = "Restore a backup into an empty studio, on SQLite or PostgreSQL. Stop web, worker and beat first."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", metavar="PATH", help="a file that `backup` wrote")
        how = parser.add_mutually_exclusive_group()
        how.add_argument("--replace", action="store_true", help="remove everything that is in this studio first")
        how.add_argument(
            "--check", action="store_true", help="read the file and say whether it is whole; change nothing"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["path"])
        code, trouble = FINE, ""
        try:
            self.tell(act(path, progress(self, options), options), options)
        except Damaged as error:
            code, trouble = FINDINGS, f"{path} is damaged, and nothing was restored. {error}"
        except Refused as error:
            code, trouble = USAGE, str(error)
        except OSError as error:
            code, trouble = MACHINERY, f"Nothing was restored: {described(error)}"
        except DatabaseError as error:
            code, trouble = MACHINERY, f"Nothing was restored, the database refused: {error}"
        if code:
            refuse(self, Misuse(trouble, CODES[code]), options)
            sys.exit(code)

    def tell(self, manifest: Manifest, options: dict[str, Any]) -> None:
        fits = opens(manifest)
        if options["json"]:
            say_json(self, {**figures(manifest), "key_fits": fits})
        else:
            what = "is whole" if options["check"] else "was restored"
            say(self, f"The backup of {manifest.made_at} {what}: {sentence(manifest)}")
        if not fits:
            complain(self, "Stored keys of connections do not open with this studio's key.")
            complain(
                self, "Set PACKWRIGHT_ENCRYPTION_KEY, or PACKWRIGHT_SECRET_KEY, to that of the studio that was saved."
            )


CODES = {FINDINGS: "damaged", USAGE: "refused", MACHINERY: "machinery"}


def act(path: Path, tick: Any, options: dict[str, Any]) -> Manifest:
    """Raises what `restore` does."""
    if not options["check"]:
        return restore(path, replaces=options["replace"], tick=tick)
    with opened(path) as reader:
        reader.verify(tick)
        return reader.manifest
