"""`manage.py second_factor`: reset the second factor of somebody when nobody can sign in to do it.

Ends with 0 when all is fine, 2 for wrong usage, 3 when the database is out of reach.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from packs.management.answers import Misuse, carry_out, say, say_json
from packs.management.lookup import find_user
from studio.second_factor.keeping import reset


class Command(BaseCommand):
    help = "Reset the second factor of a user, who then signs in with the password alone."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.epilog = __doc__.rpartition("\n\n")[2] if __doc__ else None
        commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
        resetting = commands.add_parser("reset", help="take the second factor of a user away, with its recovery codes")
        resetting.add_argument("user", metavar="USER", help="name of the user")
        resetting.add_argument("--json", action="store_true", help="print one JSON document and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        carry_out(self, lambda: self.reset(options), options)

    def reset(self, options: dict[str, Any]) -> None:
        user = find_user(options["user"])
        if user is None or not reset(user):
            raise Misuse(f"{options['user']} has no second factor.", "not_found")
        if options["json"]:
            say_json(self, {"user": user.username})
        else:
            say(self, f"The second factor of {user.username} is reset. A password is enough now.")
