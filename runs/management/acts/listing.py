"""`manage.py run list`."""

from argparse import ArgumentParser

from django.core.management import BaseCommand

from packs.management.answers import Misuse, say, say_json
from packs.management.lookup import find_pack, find_team
from runs.management import FINE
from runs.management.acts import Act, Given, add_json
from runs.management.acts.showing import DOCUMENTS, say_headline
from runs.models import Run, RunStatus

DEFAULT_LIMIT = 20


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--pack", metavar="SLUG", help="only the runs of this pack")
    parser.add_argument("--status", choices=RunStatus.values, help="only the runs with this status")
    parser.add_argument("--limit", type=int, default=DEFAULT_LIMIT, metavar="N", help="the newest N (20)")
    parser.add_argument("--team", default="default", metavar="SLUG", help="the team whose runs they are")
    add_json(parser)


def list_runs(command: BaseCommand, options: Given) -> int:
    """The newest first. With `--json` they have the shape of `run show --json`, in a list `runs`."""
    if options["limit"] < 1:
        raise Misuse("--limit is a number from 1.")
    team = find_team(options["team"])
    rows = Run.objects.filter(team=team).select_related("team", "version__pack", "input_set").order_by("-pk")
    if slug := options["pack"]:
        rows = rows.filter(version__pack=find_pack(team, slug))
    if status := options["status"]:
        rows = rows.filter(status=status)
    runs = rows[: options["limit"]]
    if options["json"]:
        say_json(command, {"runs": [DOCUMENTS["run"](run) for run in runs]})
        return FINE
    for run in runs:
        say_headline(command, run)
    if not runs:
        say(command, "There are no such runs.")
    return FINE


LIST = Act(add_arguments, list_runs)
