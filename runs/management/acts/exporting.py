"""`manage.py run export` and `manage.py run page`."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

from django.core.management import BaseCommand
from django.http import Http404

from packs.management.answers import Misuse
from runs.management import FINE
from runs.management.acts import Act, Given, add_id
from runs.management.lookup import find_run
from runs.results.exporting import EXPORTS, offered
from runs.results.sharing import FORMS, find_any, read_subject


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--as", dest="kind", choices=sorted(EXPORTS), default="json", help="default: json")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")
    add_id(parser)


def export(command: BaseCommand, options: Given) -> int:
    run = find_run(options["id"])
    if options["kind"] not in offered(run):
        raise Misuse(f"This run cannot be exported as {options['kind']}; it can as {', '.join(offered(run))}.")
    write, media = EXPORTS[options["kind"]]
    return put(command, write(run), options["output"], is_text=media != "application/zip")


def put(command: BaseCommand, parts: Iterable[bytes], output: str, *, is_text: bool) -> int:
    """Write a file, or to standard output for `-`. Raises Misuse where the file cannot be written."""
    if output == "-":
        if is_text:
            for part in parts:
                command.stdout.write(part.decode(), ending="")
        else:
            sys.stdout.buffer.writelines(parts)
        return FINE
    try:
        with Path(output).open("wb") as file:
            file.writelines(parts)
    except OSError as error:
        raise Misuse(f"{output}: {error.strerror}") from error
    return FINE


def add_page_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")
    parser.add_argument("of", metavar="OF", help=FORMS)


def write_page(command: BaseCommand, options: Given) -> int:
    try:
        page = find_any(read_subject(options["of"])).page()
    except Http404 as missing:
        raise Misuse(f"{options['of']!r}: {missing}") from missing
    return put(command, [page.encode()], options["output"], is_text=True)


EXPORT = Act(add_arguments, export)
PAGE = Act(add_page_arguments, write_page)
