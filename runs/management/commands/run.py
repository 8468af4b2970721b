"""`manage.py run`: start, list, show, steer and export runs; grade outputs without the database."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.core.management import BaseCommand

from packs.formats.registry import Registry
from packs.management.answers import carry_out
from runs.management.acts import ACTS, HELP, ActParser, add_arguments_of

EXIT_CODES = (
    "Ends with 0 when all is fine, 1 when not all trials of `start --wait` or `grade` passed, 2 for wrong usage, "
    "3 when the studio failed."
)
_WITHOUT_DATABASE: Mapping[str, Callable[[list[str]], int]] = Registry("runs.management", {"grade": "grading:main"})


class Command(BaseCommand):
    help = "Start, list, show, steer, score again and export runs; grade works on files alone."
    requires_system_checks: list[str] = []

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass `grade` on, which needs no database."""
        if argv[2:3] == ["grade"]:
            sys.exit(_WITHOUT_DATABASE["grade"](argv[2:]))
        super().run_from_argv(argv)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = EXIT_CODES
        commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=ActParser)
        commands.add_parser("grade", help="grade outputs that are there already; needs no database")
        for name, use in HELP.items():
            commands.add_parser(name, help=use).learn = partial(add_arguments_of, name)

    def handle(self, *args: Any, **options: Any) -> None:
        carry_out(self, lambda: ACTS[options["command"]].do(self, options), options)
