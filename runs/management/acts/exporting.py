"""`manage.py run export`."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management import BaseCommand

from packs.management.answers import Misuse
from runs.management import FINE
from runs.management.acts import Act, Given, add_id
from runs.management.lookup import find_run
from runs.results.exporting import EXPORTS, offered


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--as", dest="kind", choices=sorted(EXPORTS), default="json", help="default: json")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")
    add_id(parser)


def export(command: BaseCommand, options: Given) -> int:
    run = find_run(options["id"])
    if options["kind"] not in offered(run):
        raise Misuse(f"This run cannot be exported as {options['kind']}; it can as {', '.join(offered(run))}.")
    parts = EXPORTS[options["kind"]][0](run)
    if options["output"] == "-":
        if EXPORTS[options["kind"]][1] == "application/zip":
            sys.stdout.buffer.writelines(parts)
            return FINE
        for part in parts:
            command.stdout.write(part.decode(), ending="")
        return FINE
    try:
        with Path(options["output"]).open("wb") as file:
            file.writelines(parts)
    except OSError as error:
        raise Misuse(f"{options['output']}: {error.strerror}") from error
    return FINE


EXPORT = Act(add_arguments, export)
