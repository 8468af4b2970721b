"""`manage.py prepare`: bring the database up to date and make a fresh studio usable; safe to repeat."""

from typing import Any

from django.core.management import BaseCommand, call_command

from runs.apps import OF_SETTINGS
from studio.first_password import handed_over
from studio.first_start import ADMINISTRATOR, prepare
from studio.rights import close_places, words_for


class Command(BaseCommand):
    help = "Migrate the database and, in a studio without users, make a team, an administrator and sample packs."
    requires_system_checks = (OF_SETTINGS,)

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        password = prepare()
        if password:
            self.stdout.write(handed_over(ADMINISTRATOR, password, on_terminal=self.stdout.isatty()))
        if still_open := close_places():
            self.stderr.write(f"Look at this: {words_for(still_open)}.")
