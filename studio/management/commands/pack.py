"""`manage.py pack` with `prove`, which packs alone cannot do: it grades."""

import sys

from packs.management.commands import pack
from runs.proof import command


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
