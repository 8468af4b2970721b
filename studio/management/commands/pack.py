"""`manage.py pack` with `prove` and `suggest`, which packs alone cannot do: they grade."""

import sys
from typing import TYPE_CHECKING, Any

from packs.formats.later import Later
from packs.management.answers import carry_out
from packs.management.commands import pack
from runs.proof import command

if TYPE_CHECKING:
    from runs.management import suggesting
else:
    # The engine and its clients, for the one command that asks models.
    suggesting = Later("runs.management.suggesting")


class Command(pack.Command):
    without_database = {
        **pack.Command.without_database,
        "prove": "try the graders of every case on right and wrong answers; needs no database",
    }

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass `prove` on, which needs no database."""
        if argv[2:3] == ["prove"]:
            sys.exit(command.main(argv[2:]))
        super().run_from_argv(argv)

    def add_commands(self, commands: Any) -> None:
        asking = commands.add_parser("suggest", help="have a model suggest answers to try on a case of a draft")
        asking.add_argument("pack", metavar="SLUG")
        asking.add_argument("case", metavar="CASE", help="key of the case")
        asking.add_argument("--set", dest="input_set", metavar="KEY", help="input set, where several have the case")
        asking.add_argument("--ask", action="store_true", help="ask a model; without it only what that takes is said")
        asking.add_argument("--model", metavar="NAME", help="which model (default: the only one)")
        asking.add_argument("--connection", metavar="NAME", help="whose model, where several connections list it")
        for decision, about in (
            ("right", "keep a suggestion in proof.yaml as a right answer"),
            ("wrong", "keep a suggestion in proof.yaml as a wrong answer"),
            ("dismiss", "drop a suggestion"),
        ):
            asking.add_argument(f"--{decision}", type=int, action="append", default=[], metavar="ID", help=about)
        self.add_common(asking)
        asking.add_argument("--user", metavar="NAME", help="whose act it is, for the history (default: nobody)")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["command"] != "suggest":
            super().handle(*args, **options)
            return
        carry_out(self, lambda: suggesting.suggest(self, options), options)
