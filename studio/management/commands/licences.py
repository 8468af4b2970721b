"""`manage.py licences`: under which licences the packages stand that the studio is shipped with.

Ends with 0 when every licence is known and accepted, 1 when one is not, 3 when the packages cannot be listed.
"""

import sys
from argparse import ArgumentParser
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import BaseCommand

from packs.management.answers import Misuse, described, refuse, say, say_json
from studio.licences import Shipped, bundled_packages, python_packages


class Command(BaseCommand):
    help = "List the licences of the Python and npm packages that the studio is shipped with."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        root = Path(settings.BASE_DIR)
        try:
            shipped = [*python_packages(root / "requirements.lock")]
            shipped += bundled_packages(root / "static/dist/packages.json")
        except PackageNotFoundError as missing:
            self.give_up(f"{missing.name} of requirements.lock is not installed. `make setup` installs it.", options)
        except OSError as error:
            self.give_up(f"{described(error)}. `make setup` writes it.", options)
        refused = [package for package in shipped if not package.is_accepted]
        if options["json"]:
            names = [package.name for package in refused]
            say_json(self, {"packages": [asdict(package) for package in shipped], "refused": names})
        else:
            self.show(shipped, refused)
        sys.exit(1 if refused else 0)

    def show(self, shipped: list[Shipped], refused: list[Shipped]) -> None:
        say(self, *(f"{p.kind:7}{p.name:30}{p.version:14}{p.licence or 'unknown'}" for p in shipped))
        say(self, f"{len(shipped)} packages; Packwright itself is Apache-2.0.")
        say(self, *(f"Not accepted: {p.name} ({p.licence or 'no licence named'})." for p in refused))

    def give_up(self, sentence: str, options: dict[str, Any]) -> NoReturn:
        refuse(self, Misuse(sentence, "machinery"), options)
        sys.exit(3)
