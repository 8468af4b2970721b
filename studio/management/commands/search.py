"""`manage.py search`: whether the index of words says what the rows do, and making it anew.

Ends with 0 when they agree, 1 when they do not, 3 when the database cannot be used.
"""

import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management import BaseCommand
from django.db import DatabaseError, connection

from packs.management.answers import say, say_json, say_unusable
from packs.models.fulltext import is_whole
from packs.models.reindexing import Compared, comparisons, rebuild


class Command(BaseCommand):
    help = "Compare the index behind the search with the rows (`check`), or rebuild it (`rebuild`)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("act", choices=("check", "rebuild"), help="what to do with the index")
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = list(rebuild() if options["act"] == "rebuild" else comparisons())
            is_right = is_whole(connection) and all(compared.is_right for compared in found)
        except DatabaseError as error:
            say_unusable(self, error, options)
            sys.exit(3)
        if options["json"]:
            say_json(self, {"right": is_right, "kinds": [asdict(compared) for compared in found]})
        else:
            say(self, *map(line_of, found))
            say(
                self,
                "The index is right." if is_right else "The index is wrong: `manage.py search rebuild` rebuilds it.",
            )
        sys.exit(0 if is_right else 1)


def line_of(compared: Compared) -> str:
    wrong = {"missing": compared.missing, "different": compared.different, "without a row": compared.left_over}
    troubles = [f"{count:,} {name}" for name, count in wrong.items() if count]
    return f"{compared.kind:12}{compared.entries:>12,} entries{''.join(f', {trouble}' for trouble in troubles)}"
