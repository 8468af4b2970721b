"""`manage.py run trace`: a trial goes out as a record, or as its trace alone."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management import BaseCommand

from packs.formats.terminal import json_text
from packs.management.answers import Misuse
from runs.management import FINE
from runs.management.acts import Act, Given
from runs.models import Trial
from runs.results.tracing import trial_record, trial_trace


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("id", type=int, metavar="TRIAL", help="the number of a trial that has ended")
    parser.add_argument("--as", dest="kind", choices=("record", "trace"), default="record", help="default: record")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")


def trace(command: BaseCommand, options: Given) -> int:
    related = ("run__version__pack", "run_agent", "case__input_set")
    trial = Trial.objects.kept().filter(pk=options["id"], finished_at__isnull=False).select_related(*related).first()
    if trial is None:
        raise Misuse(f"There is no trial {options['id']} that has ended.", "not_found")
    text = json_text(trial_trace(trial) if options["kind"] == "trace" else trial_record(trial))
    if options["output"] == "-":
        command.stdout.write(text)
        return FINE
    try:
        Path(options["output"]).write_text(text + "\n")
    except OSError as error:
        raise Misuse(f"{options['output']}: {error.strerror}") from error
    return FINE


TRACE = Act(add_arguments, trace)
